import { randomBytes } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate, deflateSync } from 'node:zlib'
import {
  buildPdfFont,
  buildPdfFromLines,
  buildPdfFromObjects,
  buildPdfStream,
  THAI_UNICODE_MAP_STREAM,
} from './pdf-for-tests.ts'

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const pageWith = (resources = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> ${resources} >> >>`
const DEFLATED = '/Filter /FlateDecode'

const withContent = (content: string | Buffer, entries = '', resources = '', ...more: (string | Buffer)[]) =>
  buildPdfFromObjects([
    CATALOGUE,
    PAGES,
    pageWith(resources),
    buildPdfStream(content, entries),
    buildPdfFont(6),
    THAI_UNICODE_MAP_STREAM,
    ...more,
  ])

async function deflatedZeros(size: number): Promise<Buffer> {
  const piece = Buffer.alloc(2 ** 20, 0x20)
  const deflate = createDeflate({ level: 1 })
  const pieces: Buffer[] = []
  deflate.on('data', (data: Buffer) => pieces.push(data))
  await pipeline(Readable.from(Array.from({ length: size / piece.length }, () => piece)), deflate)
  return Buffer.concat(pieces)
}

/** Endlessly overprinted text: 396 kB that expand to 100 MB. */
const endlessText = () => deflateSync(Buffer.from('BT /F 1 Tf (A)Tj ET\n'.repeat(5_000_000)))

/** Eight thousand words on one page: a quarter of a second to read, 20 kB deflated. */
const manyWords = () =>
  deflateSync(
    Buffer.from(
      Array.from(
        { length: 8_000 },
        (_, at) => `BT /F 2 Tf 1 0 0 1 ${at % 500} ${at % 811} Tm (w${at * 7919}) Tj ET`,
      ).join('\n'),
    ),
  )

/** 500 pages sharing one content stream or, if numbered, one drawing to which each page adds its number. */
export function buildSharedPagesPdf({ isNumbered = false } = {}): Buffer {
  const [FIRST, COUNT] = [6, 500]
  const pages = Array.from({ length: COUNT }, (_, at) => {
    const content = isNumbered ? `${FIRST + COUNT + at} 0 R` : '3 0 R'
    return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} /Resources << /Font << /F 4 0 R >> /XObject << /X 3 0 R >> >> >>`
  })
  const shared = isNumbered
    ? `${DEFLATED} /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 4 0 R >> >>`
    : DEFLATED
  const numbers = pages.map((_, at) => buildPdfStream(`/X Do BT /F 9 Tf 9 9 Td (page ${at}) Tj ET`))
  return buildPdfFromObjects([
    CATALOGUE,
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${FIRST + at} 0 R`).join(' ')}] /Count ${COUNT} >>`,
    buildPdfStream(manyWords(), shared),
    buildPdfFont(5),
    THAI_UNICODE_MAP_STREAM,
    ...pages,
    ...(isNumbered ? numbers : []),
  ])
}

const BAD_PASSWORD = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00> <00>]`

const nested = (open: string, close: string) => `${open.repeat(200_000)}${close.repeat(200_000)}`

type Ending =
  | 'empty'
  | 'not-a-document'
  | 'broken'
  | 'encrypted'
  | 'too-large'
  | 'too-many-pages'
  | 'time'
  | 'memory'
  | 'scan'

/** Hostile files and their permitted outcomes. Which limit a bomb hits first depends on the machine. */
const HOSTILE: readonly (readonly [kind: string, endings: readonly Ending[], make: () => Buffer | Promise<Buffer>])[] =
  [
    ['empty', ['empty'], () => Buffer.alloc(0)],
    [
      'a web page that refuses',
      ['not-a-document'],
      () => Buffer.from('<!doctype html><title>Request Rejected</title>'),
    ],
    ['random', ['not-a-document'], () => randomBytes(200_000)],
    [
      'random behind the mark of a PDF',
      ['broken'],
      () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200_000)]),
    ],
    ['cut off in its head', ['broken'], () => buildPdfFromLines(['ประกาศ']).subarray(0, 40)],
    ['cut off before its pages', ['broken'], () => buildPdfFromLines(['ประกาศ']).subarray(0, 70)],
    [
      'password of the user',
      ['encrypted'],
      () => buildPdfFromObjects([CATALOGUE, PAGES, pageWith(), buildPdfStream('')], BAD_PASSWORD),
    ],
    [
      'pages that are their own children',
      ['broken', 'time', 'memory'],
      () => buildPdfFromObjects([CATALOGUE, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
    ],
    [
      '501 pages',
      ['too-many-pages'],
      () =>
        buildPdfFromObjects([
          CATALOGUE,
          `<< /Type /Pages /Kids [${'3 0 R '.repeat(501)}] /Count 501 >>`,
          pageWith(),
          buildPdfStream(''),
        ]),
    ],
    [
      '60,000 declared pages, one there',
      ['scan', 'too-many-pages'],
      () =>
        buildPdfFromObjects([
          CATALOGUE,
          '<< /Type /Pages /Kids [3 0 R] /Count 60000 >>',
          pageWith(),
          buildPdfStream(''),
        ]),
    ],
    [
      '499 declared pages, one there',
      ['scan', 'broken'],
      () =>
        buildPdfFromObjects([CATALOGUE, '<< /Type /Pages /Kids [3 0 R] /Count 499 >>', pageWith(), buildPdfStream('')]),
    ],
    [
      'content that inflates to 450 MB',
      ['memory', 'time', 'scan'],
      async () => withContent(await deflatedZeros(450 * 2 ** 20), DEFLATED),
    ],
    [
      'content deflated twice',
      ['memory', 'time', 'scan'],
      async () => withContent(deflateSync(await deflatedZeros(450 * 2 ** 20)), '/Filter [/FlateDecode /FlateDecode]'),
    ],
    // A fast machine reaches the limit of characters before the limit of time.
    ['500 pages that share their content, endless to read', ['time', 'too-large'], () => buildSharedPagesPdf()],
    [
      '500 numbered pages of one drawing, endless to read',
      ['time', 'too-large'],
      () => buildSharedPagesPdf({ isNumbered: true }),
    ],
    ['endless text', ['time', 'memory', 'too-large'], () => withContent(endlessText(), DEFLATED)],
    [
      'a table of letters that inflates to 450 MB',
      ['memory', 'time', 'scan'],
      async () =>
        buildPdfFromObjects([
          CATALOGUE,
          PAGES,
          pageWith(),
          buildPdfStream('BT /F 9 Tf (A) Tj ET'),
          buildPdfFont(6),
          buildPdfStream(await deflatedZeros(450 * 2 ** 20), DEFLATED),
        ]),
    ],
    [
      'a form that draws itself',
      ['scan', 'time', 'memory'],
      () =>
        withContent(
          '/X Do',
          '',
          '/XObject << /X 7 0 R >>',
          buildPdfStream(
            '/X Do /X Do',
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 7 0 R >> >>',
          ),
        ),
    ],
    [
      'lists 200,000 deep',
      ['broken', 'scan', 'memory', 'time'],
      () =>
        buildPdfFromObjects([
          `<< /Type /Catalog /Pages 2 0 R /X ${nested('[', ']')} >>`,
          PAGES,
          pageWith(),
          buildPdfStream(''),
        ]),
    ],
    [
      'dictionaries 200,000 deep in a page',
      ['broken', 'scan', 'memory', 'time'],
      () => buildPdfFromObjects([CATALOGUE, PAGES, `<< /Type /Page /Parent 2 0 R /X ${nested('<</A', '>>')} >>`]),
    ],
    [
      'a table of objects that names itself as the one before',
      ['broken', 'scan', 'time'],
      () => buildPdfFromObjects([CATALOGUE, PAGES, pageWith(), buildPdfStream('')], '/Prev 9'),
    ],
    [
      'a length that is a lie',
      ['broken', 'scan'],
      () => Buffer.from(withContent('BT ET').toString('latin1').replace('/Length 5', '/Length 99999999999'), 'latin1'),
    ],
    [
      'scripts and actions',
      ['scan'],
      () =>
        buildPdfFromObjects([
          '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while(true){}) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >> >>',
          PAGES,
          pageWith(),
          buildPdfStream(''),
        ]),
    ],
  ]

export async function writeHostileFiles(
  folder: string,
): Promise<{ kind: string; endings: readonly string[]; file: string }[]> {
  const files: { kind: string; endings: readonly string[]; file: string }[] = []
  for (const [index, [kind, endings, make]] of HOSTILE.entries()) {
    const file = path.join(folder, `${index}.pdf`)
    await writeFile(file, await make())
    files.push({ kind, endings, file })
  }
  return files
}

export async function writeHugePdf(file: string, size: number): Promise<void> {
  await writeFile(file, '%PDF-1.7\n')
  await truncate(file, size)
}
