import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestInspector } from "../support/inspector.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf, createPdf, objectStream, ruleOfPdf, stream } from "../support/pdfs.ts";

/** The rules run in this process. The tests of the inspector's process and thread are at the end of the file. */

const script = "<< /S /JavaScript /JS (app.alert(1)) >>";

describe("a PDF violates no rule", () => {
  const harmless: [string, Buffer | Promise<Buffer>][] = [
    ["with one empty page", buildPdf()],
    ["written by a library", createPdf()],
    ["that opens at a page", buildPdf({ catalog: "/OpenAction [3 0 R /Fit]" })],
    ["that opens with a GoTo action", buildPdf({ catalog: "/OpenAction << /S /GoTo /D [3 0 R /Fit] >>" })],
    ["with a link", buildPdf({ objects: ["4 0 obj\n<< /S /URI /URI (https://a.example) >>\nendobj\n"] })],
    [
      "with a form without actions",
      createPdf((pdf) => pdf.getForm().createTextField("name").addToPage(pdf.getPage(0))),
    ],
    ["with a long array", buildPdf({ objects: [`4 0 obj\n[${"1 ".repeat(1_000_000)}]\nendobj\n`] })],
    ["with JavaScript in a text string", buildPdf({ objects: ["4 0 obj\n(JavaScript /JS)\nendobj\n"] })],
  ];

  it.each(harmless)("%s", async (_, pdf) => {
    expect(await ruleOfPdf(await pdf)).toBeNull();
  });
});

// allow-list.test.ts has the kinds of active content. These are further places and spellings.
describe("an active PDF is rejected", () => {
  const object = (content: string) => buildPdf({ objects: [`4 0 obj\n${content}\nendobj\n`] });
  const inStream = (content: string) => buildPdf({ objects: [stream(4, "", Buffer.from(content))] });
  const opensWith = (action: string) => buildPdf({ catalog: `/OpenAction ${action}` });
  const active: [string, Buffer | Promise<Buffer>][] = [
    ["with an escaped JavaScript name", object("<< /S /#4aava#53cript /J#53 (1) >>")],
    ["with a short key in an object stream", buildPdf({ objects: [objectStream(5, 4, "<< /JS 6 0 R >>")] })],
    ["with an escaped name inside a stream", inStream("5 0 obj << /S /#4aavaScript >> endobj")],
    ["with JavaScript written by the library", createPdf((pdf) => pdf.addJavaScript("main", "app.alert(1)"))],
    ["that opens with an action", opensWith("<< /S /URI /URI (https://a.example) >>")],
    [
      "that opens with an action in another object",
      buildPdf({ catalog: "/OpenAction 4 0 R", objects: ["4 0 obj\n<< /S /URI >>\nendobj\n"] }),
    ],
    ["that opens with a chain of actions", opensWith("<< /S /GoTo /Next << /S /URI >> >>")],
    ["with additional actions", object("<< /AA << /O << /S /URI >> >> >>")],
    [
      "with additional actions in a stream's dictionary",
      buildPdf({ objects: [stream(4, "/AA 5 0 R", Buffer.from("q"))] }),
    ],
    ["that opens another file", object("<< /S /GoToR /F (a.pdf) >>")],
    ["that opens an embedded file", object("<< /S /GoToE >>")],
    ["with an attachment", createPdf((pdf) => pdf.attach(Buffer.from("MZ"), "a.exe"))],
    ["with an attachment in a key", object("[[[<< /EF << /F 5 0 R >> >>]]]")],
    ["with XFA", buildPdf({ catalog: "/AcroForm << /XFA [(a) 5 0 R] >>" })],
  ];

  it.each(active)("%s", async (_, pdf) => {
    expect(await ruleOfPdf(await pdf)).toBe("pdf-active");
  });
});

it("an encrypted PDF is rejected, also if only its trailer declares it", async () => {
  const passwords = { userPassword: "a", ownerPassword: "b" };
  expect(await ruleOfPdf(await createPdf((pdf) => void pdf.encrypt(passwords)))).toBe("pdf-encrypted");
  const trailer = "trailer\n<< /Root 1 0 R /Encr#79pt 4 0 R >>\nstartxref\n0\n%%EOF";
  expect(await ruleOfPdf(buildPdf({ trailer }))).toBe("pdf-encrypted");
});

describe("a broken PDF is rejected", () => {
  const whole = buildPdf();
  const withObjects = (filter: string, data: string) =>
    buildPdf({ objects: [stream(4, `/Type /ObjStm /N 1 /First 4 /Filter ${filter}`, Buffer.from(data))] });
  const broken: [string, Buffer | Promise<Buffer>][] = [
    ["with only its first line", Buffer.from("%PDF-1.7\n")],
    ["without an end", whole.subarray(0, whole.length - 6)],
    ["without a catalog", Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Page >>\nendobj\ntrailer\n<< >>\n%%EOF")],
    [
      "without a page",
      Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF"),
    ],
    ["with HTML after it", Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")])],
    ["with bytes before it", Buffer.concat([Buffer.from("\ufeff"), whole])],
    ["with an invalid object", buildPdf({ objects: ["4 0 obj\n<< /A ) >>\nendobj\n"] })],
    ["with a broken object stream", withObjects("/FlateDecode", "no")],
    ["with an object stream with another filter", withObjects("[/LZWDecode]", "4 0 null")],
    ["with very deeply nested arrays", buildPdf({ objects: [`4 0 obj\n${"[".repeat(200_000)}\nendobj\n`] })],
  ];

  it.each(broken)("%s", async (_, pdf) => {
    expect(await ruleOfPdf(await pdf)).toBe("file-broken");
  });

  it("truncated at any position", async () => {
    const bytes = await createPdf();
    const cut = fc.integer({ min: 8, max: bytes.length - 6 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        expect(await ruleOfPdf(bytes.subarray(0, length))).toBe("file-broken");
      }),
      { numRuns: 30 },
    );
  });
});

describe("a PDF over the limits is rejected", () => {
  const bomb = deflateSync(Buffer.alloc(70 * 1024 * 1024));
  const plain = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode";

  const part = deflateSync(Buffer.alloc(7 * 1024 * 1024));
  it.each<[string, (string | Buffer)[]]>([
    ["one stream that inflates to too many bytes", [stream(4, plain, bomb)]],
    ["such a stream that is not referenced", ["% stream\n", bomb, "\n"]],
    [
      "many streams that together inflate to too many bytes",
      Array.from({ length: 10 }, (_, at) => stream(4 + at, "/Filter /FlateDecode", part)),
    ],
    ["too many streams", ["% stream\nx\x9c\n".repeat(20_001)]],
  ])("with %s", async (_, objects) => {
    expect(await ruleOfPdf(buildPdf({ objects }))).toBe("pdf-too-complex");
  });

  it("with an object stream that is deflated twice, which is not measured", async () => {
    const [head, entries] = ["4 0 ", "/Type /ObjStm /N 1 /First 4"];
    const inner = deflateSync(Buffer.from(`${head}null`));
    const once = stream(5, `${entries} /Filter /FlateDecode`, inner);
    expect(await ruleOfPdf(buildPdf({ objects: [once] }))).toBeNull();
    const twice = stream(5, `${entries} /Filter [/FlateDecode /FlateDecode]`, deflateSync(inner));
    expect(await ruleOfPdf(buildPdf({ objects: [twice] }))).toBe("file-broken");
  });
});

describe("the inspector", () => {
  const inspector = createTestInspector();
  const inspect = async (bytes: Buffer | Promise<Buffer>) =>
    outcomeOf(inspector.inspect(await bytes, "supporting_document"));

  it("returns a PDF unchanged", async () => {
    const bytes = await createPdf();
    const inspected = await inspector.inspect(bytes, "supporting_document");
    expect(inspected.contentType).toBe("application/pdf");
    expect(Buffer.compare(inspected.bytes, bytes)).toBe(0);
  });

  it("reports the violated rule", async () => {
    expect(await inspect(buildPdf({ objects: [`4 0 obj\n${script}\nendobj\n`] }))).toBe("pdf-active");
    expect(await inspect(Buffer.from("%PDF-1.7\n"))).toBe("file-broken");
  });

  it("rejects a cross-reference table larger than the heap, and inspects the next file", async () => {
    const table = stream(4, "/Type /XRef /Size 1 /W [0 0 0] /Index [0 2000000000]", Buffer.from("a"));
    expect(await inspect(buildPdf({ objects: [table] }))).toBe("pdf-too-complex");
    expect(await inspect(buildPdf())).toBe("accepted");
  });
});
