import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";

/** A call with personal data: nothing keeps its answer once the view is left, or waits behind the sign-in. */
export function usePersonal<Output, Input = void>(options: UseMutationOptions<Output, Error, Input>) {
  const mutation = useMutation({ gcTime: 0, ...options });
  const { reset } = mutation;
  // A hidden view no longer hears of the reset.
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(
    () => () => {
      reset();
      render();
    },
    [reset],
  );
  return mutation;
}
