import { deflateSync } from "node:zlib";
import { PDFName, PDFString } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPdf } from "../src/pdf.ts";
import { testInspector } from "./support/inspector.ts";
import { handmade, objectStream, stream, written } from "./support/pdfs.ts";
import { picture } from "./support/pictures.ts";
import { ruleOf } from "./support/refusal.ts";

const inspector = testInspector();
const look = async (bytes: Buffer | Promise<Buffer>) =>
  ruleOf(inspector.inspect(await bytes, "supporting_document"));

const script = "<< /S /JavaScript /JS (app.alert(1)) >>";

describe("a PDF is kept as it is", () => {
  const harmless: [string, Buffer | Promise<Buffer>][] = [
    ["of one empty page", handmade()],
    ["as a program writes it", written()],
    [
      "with a picture",
      written(
        async (pdf) => void pdf.getPage(0).drawImage(await pdf.embedJpg(await picture().jpeg().toBuffer())),
      ),
    ],
    ["that opens at a page", handmade({ catalog: "/OpenAction [3 0 R /Fit]" })],
    ["that goes to a page", handmade({ catalog: "/OpenAction << /S /GoTo /D [3 0 R /Fit] >>" })],
    ["with a link", handmade({ objects: ["4 0 obj\n<< /S /URI /URI (https://a.example) >>\nendobj\n"] })],
    [
      "with a form that does not act",
      written((pdf) => pdf.getForm().createTextField("name").addToPage(pdf.getPage(0))),
    ],
    ["with a long list", handmade({ objects: [`4 0 obj\n[${"1 ".repeat(1_000_000)}]\nendobj\n`] })],
    ["that speaks of JavaScript", handmade({ objects: ["4 0 obj\n(JavaScript /JS)\nendobj\n"] })],
  ];

  it.each(harmless)("%s", async (_, pdf) => {
    const bytes = await pdf;
    const inspected = await inspector.inspect(bytes, "supporting_document");
    expect(inspected.contentType).toBe("application/pdf");
    expect(Buffer.compare(inspected.bytes, bytes)).toBe(0);
  });
});

describe("an active PDF is refused", () => {
  const object = (content: string) => handmade({ objects: [`4 0 obj\n${content}\nendobj\n`] });
  const active: [string, Buffer | Promise<Buffer>][] = [
    ["with JavaScript", object(script)],
    ["with JavaScript whose name is escaped", object("<< /S /#4aava#53cript /J#53 (1) >>")],
    ["with JavaScript in an object stream", handmade({ objects: [objectStream(5, 4, script)] })],
    ["with a short key in an object stream", handmade({ objects: [objectStream(5, 4, "<< /JS 6 0 R >>")] })],
    [
      "with JavaScript in an older version of an object",
      handmade({ objects: [`4 0 obj\n<< /AA 6 0 R >>\nendobj\n4 0 obj\nnull\nendobj\n`] }),
    ],
    [
      "with an escaped name where one reader sees a stream",
      handmade({ objects: [stream(4, "", Buffer.from("5 0 obj << /S /#4aavaScript >> endobj"))] }),
    ],
    [
      "with JavaScript where one reader sees a stream",
      handmade({ objects: [stream(4, "", Buffer.from(`5 0 obj ${script} endobj`))] }),
    ],
    ["with JavaScript that its library writes", written((pdf) => pdf.addJavaScript("main", "app.alert(1)"))],
    [
      "that opens with an action",
      handmade({ catalog: "/OpenAction << /S /URI /URI (https://a.example) >>" }),
    ],
    [
      "that opens with an action elsewhere",
      handmade({ catalog: "/OpenAction 4 0 R", objects: ["4 0 obj\n<< /S /URI >>\nendobj\n"] }),
    ],
    [
      "that opens with one action after another",
      handmade({ catalog: "/OpenAction << /S /GoTo /Next << /S /URI >> >>" }),
    ],
    ["with further actions", object("<< /AA << /O << /S /URI >> >> >>")],
    [
      "with further actions in a stream's dictionary",
      handmade({ objects: [stream(4, "/AA 5 0 R", Buffer.from("q"))] }),
    ],
    ["that starts a program", object("<< /S /Launch /F (calc.exe) >>")],
    ["that sends a form", object("<< /S /SubmitForm /F (https://a.example) >>")],
    ["that takes in data", object("<< /S /ImportData /F (a.fdf) >>")],
    ["that opens another file", object("<< /S /GoToR /F (a.pdf) >>")],
    ["that opens a file within", object("<< /S /GoToE >>")],
    ["with media", object("<< /Subtype /RichMedia >>")],
    ["with a file", written((pdf) => pdf.attach(Buffer.from("MZ"), "a.exe"))],
    ["with a file in a key", object("[[[<< /EF << /F 5 0 R >> >>]]]")],
    ["with XFA", handmade({ catalog: "/AcroForm << /XFA [(a) 5 0 R] >>" })],
    [
      "with XFA that its library writes",
      written((pdf) => pdf.catalog.set(PDFName.of("AcroForm"), pdf.context.obj({ XFA: PDFString.of("a") }))),
    ],
  ];

  it.each(active)("%s", async (_, pdf) => {
    expect(await look(pdf)).toBe("pdf-active");
  });
});

describe("an encrypted PDF is refused", () => {
  it("as its library writes it", async () => {
    expect(await look(written((pdf) => void pdf.encrypt({ userPassword: "a", ownerPassword: "b" })))).toBe(
      "pdf-encrypted",
    );
  });

  it("by its trailer alone", async () => {
    const trailer = "trailer\n<< /Root 1 0 R /Encr#79pt 4 0 R >>\nstartxref\n0\n%%EOF";
    expect(await look(handmade({ trailer }))).toBe("pdf-encrypted");
  });
});

describe("a broken PDF is refused", () => {
  const whole = handmade();
  const broken: [string, Buffer | Promise<Buffer>][] = [
    ["of its first line", Buffer.from("%PDF-1.7\n")],
    ["without an end", whole.subarray(0, whole.length - 6)],
    ["without a catalog", Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Page >>\nendobj\ntrailer\n<< >>\n%%EOF")],
    [
      "without a page",
      Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF"),
    ],
    ["with HTML behind it", Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")])],
    ["with something in front", Buffer.concat([Buffer.from("\ufeff"), whole])],
    ["with an object that is none", handmade({ objects: ["4 0 obj\n<< /A ) >>\nendobj\n"] })],
    [
      "with a broken object stream",
      handmade({
        objects: [stream(4, "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", Buffer.from("no"))],
      }),
    ],
    [
      "with an object stream in another filter",
      handmade({
        objects: [stream(4, "/Type /ObjStm /N 1 /First 4 /Filter [/LZWDecode]", Buffer.from("4 0 null"))],
      }),
    ],
    [
      "with arrays in arrays without end",
      handmade({ objects: [`4 0 obj\n${"[".repeat(200_000)}\nendobj\n`] }),
    ],
  ];

  it.each(broken)("%s", async (_, pdf) => {
    expect(await look(pdf)).toBe("file-broken");
  });

  it("cut off anywhere", async () => {
    const bytes = await written();
    const cut = fc.integer({ min: 8, max: bytes.length - 6 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        expect(await look(bytes.subarray(0, length))).toBe("file-broken");
      }),
      { numRuns: 30 },
    );
  });
});

describe("a PDF that takes too much is refused", () => {
  const bomb = deflateSync(Buffer.alloc(70 * 1024 * 1024));
  const plain = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode";

  it("as one stream that inflates without end", async () => {
    expect(await look(handmade({ objects: [stream(4, plain, bomb)] }))).toBe("pdf-too-complex");
  });

  it("as a stream that nothing refers to", async () => {
    expect(await look(handmade({ objects: ["% stream\n", bomb, "\n"] }))).toBe("pdf-too-complex");
  });

  it("as many streams that do so together", async () => {
    const part = deflateSync(Buffer.alloc(7 * 1024 * 1024));
    const objects = Array.from({ length: 10 }, (_, at) => stream(4 + at, "/Filter /FlateDecode", part));
    expect(await look(handmade({ objects }))).toBe("pdf-too-complex");
  });

  it("as more streams than a document has", async () => {
    expect(await look(handmade({ objects: ["% stream\nx\x9c\n".repeat(20_001)] }))).toBe("pdf-too-complex");
  });

  it("as an object stream that is deflated twice, which nobody has measured", async () => {
    const [head, entries] = ["4 0 ", "/Type /ObjStm /N 1 /First 4"];
    const held = deflateSync(Buffer.from(`${head}null`));
    const once = stream(5, `${entries} /Filter /FlateDecode`, held);
    expect(await look(handmade({ objects: [once] }))).toBe("taken");
    const twice = stream(5, `${entries} /Filter [/FlateDecode /FlateDecode]`, deflateSync(held));
    expect(await look(handmade({ objects: [twice] }))).toBe("file-broken");
  });

  it("as a table of more objects than the memory has", async () => {
    const entries = "/Type /XRef /Size 1 /W [0 0 0] /Index [0 2000000000]";
    expect(await look(handmade({ objects: [stream(4, entries, Buffer.from("a"))] }))).toBe("pdf-too-complex");
  });

  it("as one that is not read in time", async () => {
    expect(await ruleOf(checkPdf(handmade(), { ms: 1 }))).toBe("pdf-too-complex");
  });

  it("and costs no other file its turn", async () => {
    expect(await look(handmade())).toBe("taken");
  });
});
