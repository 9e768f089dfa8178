import { buildPdfFromObjects, buildPdfStream } from '#server/documents/pdf-for-tests.ts'

/**
 * Builds a PDF with a text layer, so tests need no third-party file. Each page is a list of lines. Thai text is stored
 * by its codes (ToUnicode) and drawn as small boxes (a Type 3 font), so the repository needs no font.
 */
export function makePdf(pages: readonly (readonly string[])[]): Buffer {
  const letters = [...new Set(pages.flat().join(''))].filter((letter) => letter !== ' ')
  // Code 32 remains the blank, and each letter gets a code of one byte, which limits a PDF to 220 distinct letters.
  const codes = new Map([[' ', 32], ...letters.map((letter, at): [string, number] => [letter, 33 + at])])
  if (letters.length > 220) throw new Error('too many different letters')
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
  const objects: (string | Buffer)[] = []
  const add = (object: string | Buffer) => objects.push(object)

  const kids = pages.map((_, at) => `${6 + at * 2} 0 R`).join(' ')
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  const last = 32 + letters.length
  const widths = Array.from({ length: letters.length + 1 }, () => 600).join(' ')
  const names = Array.from({ length: letters.length + 1 }, (_, at) => `/g${32 + at}`)
  const glyphs = names.map((name) => `${name} ${name === '/g32' ? '5 0 R' : '4 0 R'}`).join(' ')
  const mapped = [...codes].map(([letter, code]) => `<${hex(code, 2)}> <${hex(letter.charCodeAt(0), 4)}>`)
  const chunks = Array.from({ length: Math.ceil(mapped.length / 100) }, (_, at) =>
    mapped.slice(at * 100, at * 100 + 100),
  )
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def
1 begincodespacerange <00> <ff> endcodespacerange
${chunks.map((chunk) => `${chunk.length} beginbfchar\n${chunk.join('\n')}\nendbfchar`).join('\n')}
endcmap end end`
  const toUnicodeAt = 6 + pages.length * 2
  add(`<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << ${glyphs} >>
/Encoding << /Type /Encoding /Differences [32 ${names.join(' ')}] >> /FirstChar 32 /LastChar ${last} /Widths [${widths}] /Resources << >>
/ToUnicode ${toUnicodeAt} 0 R >>`)
  add(buildPdfStream('600 0 60 0 520 600 d1 60 0 460 600 re f'))
  add(buildPdfStream('600 0 0 0 0 0 d1'))
  for (const [at, lines] of pages.entries()) {
    const drawn = lines.map((line, row) => {
      const bytes = [...line].map((letter) => hex(codes.get(letter)!, 2)).join('')
      return `BT /F 12 Tf 1 0 0 1 60 ${780 - row * 24} Tm <${bytes}> Tj ET`
    })
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${7 + at * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
    )
    add(buildPdfStream(drawn.join('\n')))
  }
  add(buildPdfStream(toUnicode))

  return buildPdfFromObjects(objects)
}
