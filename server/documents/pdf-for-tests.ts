/** A piece of text on a page: baseline position in points from the lower left, size 14. */
export interface TestPdfText {
  readonly text: string
  readonly x: number
  readonly y: number
}

/** Thai letters use TIS-620 codes in the file; a table in the file maps them to Unicode. */
const TABLE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Thai def /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfrange <20> <7E> <0020> <A1> <FB> <0E01> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`

const widthOf = (code: number) =>
  code === 0xd1 || (code >= 0xd4 && code <= 0xda) || (code >= 0xe7 && code <= 0xee) ? 0 : 500

function hexOf(text: string): string {
  const codes = [...text].map((sign) => {
    const code = sign.codePointAt(0)!
    return code >= 0x0e01 && code <= 0x0e5b ? code - 0x0e01 + 0xa1 : code
  })
  return codes.map((code) => code.toString(16).padStart(2, '0')).join('')
}

export function buildPdfFromObjects(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = pieces[0]!.length
  const offsets: number[] = []
  const add = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
  }
  objects.forEach((object, index) => {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n`
  add(Buffer.from(`${end}startxref\n${length}\n%%EOF\n`))
  return Buffer.concat(pieces)
}

export const buildPdfStream = (content: string | Buffer, entries = ''): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

export const buildPdfFont = (table: number): string => {
  const widths = Array.from({ length: 256 }, (_, code) => widthOf(code)).join(' ')
  return `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 /Widths [${widths}] /ToUnicode ${table} 0 R >>`
}
export const THAI_UNICODE_MAP_STREAM = buildPdfStream(TABLE)

export function buildPdfFromPages(pages: readonly (readonly TestPdfText[])[]): Buffer {
  const first = 5
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const drawn = pages.flatMap((texts, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
    buildPdfStream(texts.map(({ text, x, y }) => `BT /F 14 Tf 1 0 0 1 ${x} ${y} Tm <${hexOf(text)}> Tj ET`).join('\n')),
  ])
  return buildPdfFromObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    buildPdfFont(4),
    THAI_UNICODE_MAP_STREAM,
    ...drawn,
  ])
}

export const buildPdfFromLines = (lines: readonly string[]): Buffer =>
  buildPdfFromPages([lines.map((text, index) => ({ text, x: 60, y: 780 - index * 22 }))])
