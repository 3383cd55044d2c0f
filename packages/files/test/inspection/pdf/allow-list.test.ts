import { readdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { buildPdf, createPdf, objectStream, ruleOfPdf, stream } from "../../support/pdfs.ts";

const folder = new URL("../../samples/", import.meta.url);
/** Documents written by a browser and by libraries, with links, outlines, notes, forms, tags, images and fonts. */
const samples = readdirSync(folder).filter((name) => name.endsWith(".pdf"));

const annotation = (subtype: string, more = "") =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 9 9] ${more} >>`;
const link = (action: string) => annotation("Link", `/A ${action}`);
const linkTo = (target: string) => link(`<< /S /URI /URI ${target} >>`);

/** Objects that are active anywhere in a document, referenced or not. */
const activeObjects = {
  "a 3D annotation": annotation("3D", "/3DD 9 0 R"),
  "a movie": annotation("Movie", "/Movie << /F (a.avi) >>"),
  "a sound": annotation("Sound", "/Sound 9 0 R"),
  "a screen": annotation("Screen"),
  "a projection": annotation("Projection"),
  "rich media": annotation("RichMedia"),
  "an attached file": annotation("FileAttachment", "/FS 9 0 R"),
  "an unknown annotation on a page": `<< /Type /Page /Annots [${annotation("Hologram")}] >>`,
  "a thread at a UNC path": link(String.raw`<< /S /Thread /F (\\\\host\\share\\a.pdf) /D 0 >>`),
  "a file at a UNC path": String.raw`<< /Type /Filespec /F (\\\\host\\share\\a.pdf) >>`,
  "a file without a type": "<< /F (a.pdf) /V true >>",
  "a file with a Unicode name": "<< /UF (a.pdf) >>",
  "a file with a name of one system": "<< /Unix (a.pdf) >>",
  "a file at a URL": "<< /FS /URL >>",
  "a launch": link("<< /S /Launch /F (calc.exe) >>"),
  "a launch with an escaped name": link("<< /#53 /L#61unch >>"),
  "a form that is sent": link("<< /S /SubmitForm /F << /FS /URL /F (https://a.example) >> >>"),
  "an import": link("<< /S /ImportData /F (a.fdf) >>"),
  "a script": link("<< /S /JavaScript /JS (app.alert(1)) >>"),
  "a hidden field": link("<< /S /Hide /T (a) >>"),
  "a reset form": link("<< /S /ResetForm >>"),
  "changed layers": link("<< /S /SetOCGState /State [] >>"),
  "an unknown action": link("<< /S /Beam >>"),
  "an unknown action before a link": annotation("Link", "/PA << /S /Beam >>"),
  "a next action": link("<< /S /GoTo /D (a) /Next << /S /GoTo /D (b) >> >>"),
  "a command of the reader": link("<< /S /Named /N /SaveAs >>"),
  "an action of an outline item": "<< /Title (a) /Parent 9 0 R /A << /S /Beam >> >>",
  "a link to a file": linkTo("(file:///etc/passwd)"),
  "a link to a UNC path": linkTo(String.raw`(\\\\host\\share)`),
  "a link to a script": linkTo("(javascript:alert\\(1\\))"),
  "a link to a relative file": linkTo("(setup.exe)"),
  "a link in hexadecimal": linkTo(`<${Buffer.from("smb://host").toString("hex")}>`),
  "a template of pages": "<< /Type /Template >>",
  "a web capture": "<< /Type /Catalog /SpiderInfo 9 0 R >>",
  "alternate presentations": "<< /Type /Catalog /Names << /AlternatePresentations 9 0 R >> >>",
  "pages by name": "<< /Type /Catalog /Names << /Templates 9 0 R >> >>",
  "a collection": "<< /Type /Catalog /Collection << >> >>",
  requirements: "<< /Type /Catalog /Requirements [] >>",
  "an unknown entry of the catalog": "<< /Type /Catalog /Surprise 1 >>",
  "an unknown entry of a page": "<< /Type /Page /PresSteps << >> >>",
  "a base for links": "<< /Type /Catalog /URI << /Base (file:///) >> >>",
  "optional content": "<< /Type /Catalog /OCProperties << /OCGs [] /D << >> >> >>",
  "optional content with an escaped name": "<< /Type /Catalog /OC#50roperties 9 0 R >>",
  "a layer": "<< /Type /OCG /Name (a) >>",
  "a group of layers": "<< /Type /OCMD /P /AllOff >>",
  "a group of layers without a type": "<< /P /AllOff /OCGs 9 0 R >>",
  "a condition of layers": "<< /VE [/Not 9 0 R] >>",
  "the content of a layer": "<< /Subtype /Link /OC 9 0 R >>",
  "a layer without a type": "<< /Usage << /View << /ViewState /OFF >> >> >>",
  "a layer that is not printed": "<< /Usage << /Print << /PrintState /OFF >> >> >>",
  "an annotation that is only printed": `<< /Type /Page /Annots [${annotation("Stamp", "/F 36")}] >>`,
  "another image for printing": "<< /Alternates [<< /Image 9 0 R /DefaultForPrinting true >>] >>",
  "pages that are not pages": "<< /Type /Pages /Kids [<< /Subtype /Form /Surprise 1 >>] >>",
};

const activeStreams = {
  "in another file": "/F (a.bin)",
  "at a URL": "/F << /FS /URL /F (https://a.example) >>",
  "with a filter for another file": "/FFilter /FlateDecode",
  "that shows another document": "/Type /XObject /Subtype /Form /Ref << /Page 0 >>",
  "with OPI": "/Type /XObject /Subtype /Image /OPI << >>",
  "with PostScript": "/Type /XObject /Subtype /PS",
  "with PostScript in a form": "/Type /XObject /Subtype /Form /Subtype2 /PS",
  "of 3D data": "/Type /3D /Subtype /U3D",
  "of an unknown type": "/Type /Surprise",
  "of an unknown subtype": "/Type /XObject /Subtype /Surprise",
  "with an unknown filter": "/Filter /Surprise",
  "with an unknown filter among others": "/Filter [/ASCIIHexDecode /Surprise]",
  "with a crypt filter": "/Filter [/Crypt]",
};

/** Where an object can occur in a file. */
const places: Record<string, (object: string) => Buffer> = {
  "as an object": (object) => buildPdf({ objects: [`4 0 obj\n${object}\nendobj\n`] }),
  "in an object stream": (object) => buildPdf({ objects: [objectStream(5, 4, object)] }),
  "in an older version of an object": (object) =>
    buildPdf({ objects: [`4 0 obj\n${object}\nendobj\n4 0 obj\nnull\nendobj\n`] }),
  "inside another object": (object) => buildPdf({ objects: [`4 0 obj\n<< /X [[${object}]] >>\nendobj\n`] }),
  "in an update of the file": (object) =>
    Buffer.concat([buildPdf(), buildPdf({ objects: [`4 0 obj\n${object}\nendobj\n`] }).subarray(9)]),
};

describe("a document of a common producer is accepted", () => {
  it.each(samples)("%s", async (name) => {
    expect(await ruleOfPdf(readFileSync(new URL(name, folder)))).toBeNull();
  });

  const targets = [
    "https://a.example/path?a=b#c",
    "HTTP://a.example",
    "mailto:a@b.example",
    "tel:+85212345678",
  ];
  it.each([...targets, "www.a.example", "#page=2", "javascript:void\\(0\\);", ""])(
    "with a link to %s",
    async (target) => {
      const object = `4 0 obj\n<< /S /URI /URI (${target}) >>\nendobj\n`;
      expect(await ruleOfPdf(buildPdf({ objects: [object] }))).toBeNull();
    },
  );

  it.each([
    ["a page turn", link("<< /Type /Action /S /Named /N /NextPage >>")],
    ["an outline", "<< /Title (a) /Next 4 0 R /A << /S /GoTo /D (a) >> >>"],
    ["an element of the structure", "<< /S /Sect /P 1 0 R /A << /O /Layout /Placement /Block >> >>"],
    ["a page with an entry of its producer", "<< /Type /Page /PTEX.PageNumber 1 /ITXT_a (b) >>"],
    ["a signature field", annotation("Widget", "/FT /Sig /T (a) /F 132 /V << /Type /Sig /Filter /A >>")],
    ["a blend mode", "<< /Type /ExtGState /BM /Screen >>"],
    ["a font with glyphs A, F and S", "<< /Type /Font /CharProcs << /A 9 0 R /F 9 0 R /S 9 0 R >> >>"],
    ["an annotation that is shown and printed", `<< /Type /Page /Annots [${annotation("Stamp", "/F 4")}] >>`],
  ])("with %s", async (_, object) => {
    expect(await ruleOfPdf(buildPdf({ objects: [`4 0 obj\n${object}\nendobj\n`] }))).toBeNull();
  });
});

describe.each(Object.entries(places))("%s is rejected", (_, place) => {
  it.each(Object.entries(activeObjects))("%s", async (_, object) => {
    expect(await ruleOfPdf(place(object))).toBe("pdf-active");
  });
});

describe("a stream is rejected", () => {
  it.each(Object.entries(activeStreams))("%s", async (_, entries) => {
    expect(await ruleOfPdf(buildPdf({ objects: [stream(4, entries, Buffer.from("q"))] }))).toBe("pdf-active");
  });
});

describe.each(samples)("%s is rejected after a change", (name) => {
  const load = () => PDFDocument.load(readFileSync(new URL(name, folder)));
  const annotate = (pdf: PDFDocument, entries: { Subtype: string; A?: { S: string } }) =>
    pdf.getPage(0).node.addAnnot(pdf.context.register(pdf.context.obj(entries)));
  const ruleOfSaved = async (pdf: PDFDocument, useObjectStreams: boolean) =>
    ruleOfPdf(Buffer.from(await pdf.save({ useObjectStreams })));

  it.each([true, false])("of each part, with object streams: %s", async (useObjectStreams) => {
    const changes: Record<string, (pdf: PDFDocument) => void> = {
      catalog: (pdf) => pdf.catalog.set(PDFName.of("Surprise"), pdf.context.obj({})),
      page: (pdf) => pdf.getPage(0).node.set(PDFName.of("Surprise"), pdf.context.obj({})),
      annotation: (pdf) => annotate(pdf, { Subtype: "Hologram" }),
      action: (pdf) => annotate(pdf, { Subtype: "Link", A: { S: "Beam" } }),
      stream: (pdf) => {
        const [found] = pdf.context
          .enumerateIndirectObjects()
          .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []));
        found?.dict.set(PDFName.of("F"), pdf.context.obj({}));
      },
    };
    expect(await ruleOfSaved(await load(), useObjectStreams)).toBeNull();
    const rules: Record<string, unknown> = {};
    for (const [part, change] of Object.entries(changes)) {
      const pdf = await load();
      change(pdf);
      rules[part] = await ruleOfSaved(pdf, useObjectStreams);
    }
    expect(rules).toEqual(Object.fromEntries(Object.keys(changes).map((part) => [part, "pdf-active"])));
  });
});

describe("an active object is found", () => {
  it("when the trailer contains the catalog itself", async () => {
    const trailer =
      "trailer\n<< /Root << /Type /Catalog /Pages 2 0 R /Collection 4 0 R >> >>\nstartxref\n0\n%%EOF";
    expect(await ruleOfPdf(buildPdf({ trailer }))).toBe("pdf-active");
  });

  it("when an older version of an annotation's action is active", async () => {
    const objects = [
      `4 0 obj\n${link("5 0 R")}\nendobj\n`,
      "5 0 obj\n<< /S /Beam >>\nendobj\n5 0 obj\n<< /S /GoTo >>\nendobj\n",
    ];
    expect(await ruleOfPdf(buildPdf({ objects }))).toBe("pdf-active");
  });

  it("when the kind of an annotation is in another object", async () => {
    const objects = [`4 0 obj\n${annotation("A", "/Subtype 5 0 R")}\nendobj\n5 0 obj\n/Movie\nendobj\n`];
    expect(await ruleOfPdf(buildPdf({ objects }))).toBe("pdf-active");
  });

  it("when the root of the pages has no type", async () => {
    const catalog = "<< /Type /Catalog /Pages << /Kids [<< /PresSteps 1 >>] /Count 1 >> >>";
    expect(await ruleOfPdf(buildPdf({ objects: [`4 0 obj\n${catalog}\nendobj\n`] }))).toBe("pdf-active");
  });

  it("unless an object is only a reference, which is rejected as broken", async () => {
    expect(await ruleOfPdf(buildPdf({ objects: ["4 0 obj\n5 0 R\nendobj\n"] }))).toBe("file-broken");
  });

  // Listed independently, so that removing a name from the source's list fails this test.
  const actions = [
    "JavaScript",
    "Launch",
    "SubmitForm",
    "ImportData",
    "GoToR",
    "GoToE",
    "GoTo3DView",
    "Rendition",
  ];
  const media = ["RichMedia", "RichMediaContent", "RichMediaExecute", "AlternatePresentations"];
  const files = ["EmbeddedFile", "EmbeddedFiles", "FileAttachment", "SpiderInfo", "OCProperties"];
  it.each([...actions, ...media, ...files])("when the name %s is inside a stream", async (name) => {
    const content = Buffer.from(`5 0 obj << /Any /${name} >> endobj`);
    expect(await ruleOfPdf(buildPdf({ objects: [stream(4, "", content)] }))).toBe("pdf-active");
  });

  it("when a name of media is inside a stream", async () => {
    const content = Buffer.from(`5 0 obj ${annotation("Mov#69e")} endobj`);
    expect(await ruleOfPdf(buildPdf({ objects: [stream(4, "", content)] }))).toBe("pdf-active");
  });
});

it("rejects too many references to one large array", async () => {
  const page = "<< /Type /Page /Annots 4 0 R >>";
  const objects = [
    `4 0 obj\n[${"1 ".repeat(10_000)}]\nendobj\n`,
    Array.from({ length: 1_000 }, (_, at) => `${at + 5} 0 obj\n${page}\nendobj\n`).join(""),
  ];
  expect(await ruleOfPdf(buildPdf({ objects }))).toBe("pdf-too-complex");
});

it("rejects too many names", async () => {
  const names = deflateSync(Buffer.alloc(11_000_000, "/A"));
  expect(await ruleOfPdf(buildPdf({ objects: [stream(4, "/Filter /FlateDecode", names)] }))).toBe(
    "pdf-too-complex",
  );
});

it("accepts a document of a thousand pages", async () => {
  const pdf = await createPdf((document) => {
    for (let page = 1; page < 1_000; page += 1) document.addPage().drawText("A page.");
  });
  expect(await ruleOfPdf(pdf)).toBeNull();
});
