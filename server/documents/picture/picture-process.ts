import { readFileSync, writeFileSync } from 'node:fs'
import type { UnreadableDocumentReason } from '#contract/documents/document.ts'
import { detectDocumentFileType } from '#contract/documents/project-document.ts'
import { drawPageImages } from './draw-page-images.ts'
import { decodePng, toGreyscaleRaster, wrapJpegInPdf } from './photo.ts'
import { encodePortableGreymap, type GreyscaleRaster } from './raster.ts'

// Separate process (confined-process.ts): file from stdin, page number as argument, writes `page.pgm` to its folder.

for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name)

async function draw(
  file: Buffer,
  page: number,
): Promise<GreyscaleRaster | undefined | { readonly reason: UnreadableDocumentReason }> {
  const type = detectDocumentFileType(file)
  if (type === 'png') {
    const pixels = decodePng(file)
    return pixels ? toGreyscaleRaster(pixels) : { reason: 'broken' }
  }
  const pdf = type === 'jpeg' ? wrapJpegInPdf(file) : new Uint8Array(file)
  return pdf ? await drawPageImages(pdf, page) : { reason: 'broken' }
}

const raster = await draw(readFileSync(0), Number(process.argv[2])).catch(() => ({ reason: 'broken' as const }))
if (raster && 'grey' in raster) writeFileSync('page.pgm', encodePortableGreymap(raster))
const result = raster === undefined ? { outcome: 'empty' } : 'reason' in raster ? raster : { outcome: 'drawn' }
process.stdout.write(`${JSON.stringify(result)}\n`)
