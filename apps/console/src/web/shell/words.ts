export const words = {
  product: "cardbridge",
  skip: "Skip to the content",
  connectionLost: "Connection lost. What you see may be some seconds old; we reconnect and miss nothing.",
  signIn: {
    title: "Support console",
    text: "Find a user, see why a verification waits, and move it on.",
    button: "Sign in",
    idleTitle: "You were signed out",
    idle: "Nobody used this session for 15 minutes, or it was ended elsewhere.",
    kept: "Your view waits for you, with what you typed.",
    done: "You are signed in",
    close: "Close this window, and go on in the other one.",
    outTitle: "You are signed out",
    out: "Close the window if you share this computer.",
    unreachable: "The console’s server does not answer.",
    refusedTitle: "The sign-in did not work",
    refused:
      "It took too long, or it was cancelled. Try it once more; if it stays, ask an administrator for access.",
    unavailableTitle: "You cannot sign in right now",
    unavailable: "The sign-in service does not answer. Try again in a minute.",
  },
} as const;
