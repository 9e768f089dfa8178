import { readFileSync, writeFileSync } from 'node:fs'
import type { UnreadableReason } from '#contract/documents/document.ts'
import { documentTypeOf } from '#contract/documents/project-document.ts'
import { pagePicture } from './page-picture.ts'
import { pdfOfJpeg, pngPixels, rasterOf } from './photo.ts'
import { portableGreymap, type Raster } from './raster.ts'

// Runs in a separate process (confined-process.ts): reads the file from stdin and the page number from its argument,
// writes `page.pgm` to its folder.

for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name)

async function draw(file: Buffer, page: number): Promise<Raster | undefined | { readonly reason: UnreadableReason }> {
  const type = documentTypeOf(file)
  if (type === 'png') {
    const pixels = pngPixels(file)
    return pixels ? rasterOf(pixels) : { reason: 'broken' }
  }
  const pdf = type === 'jpeg' ? pdfOfJpeg(file) : new Uint8Array(file)
  return pdf ? await pagePicture(pdf, page) : { reason: 'broken' }
}

const drawn = await draw(readFileSync(0), Number(process.argv[2])).catch(() => ({ reason: 'broken' as const }))
if (drawn && 'grey' in drawn) writeFileSync('page.pgm', portableGreymap(drawn))
const answer = drawn === undefined ? { outcome: 'empty' } : 'reason' in drawn ? drawn : { outcome: 'drawn' }
process.stdout.write(`${JSON.stringify(answer)}\n`)
