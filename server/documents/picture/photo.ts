import { inflateSync } from 'node:zlib'
import { createBlankRaster, type DecodedPixels, type GreyscaleRaster, paintImage } from './raster.ts'

/** Maximum length of a photo's longer side after scaling: A4 at 300 dpi. */
const MAX_SIDE_DOTS = 3508
const MAX_DOTS = 50_000_000
const POINTS_PER_DOT = 72 / 300

type JpegHead = {
  readonly width: number
  readonly height: number
  readonly colours: 1 | 3
  readonly rotation: 0 | 90 | 180 | 270
}

/** Clockwise degrees to rotate by, per Exif orientation (tag 274). Mirrored images are not corrected. */
const ROTATIONS: Readonly<Record<number, JpegHead['rotation']>> = { 3: 180, 6: 90, 8: 270 }
const ORIENTATION_TAG = 274

function readRotation(segment: Buffer): JpegHead['rotation'] {
  if (segment.length < 14 || segment.toString('latin1', 0, 6) !== 'Exif\0\0') return 0
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directoryOffset = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directoryOffset + 2 > tiff.length) return 0
  const entries = short(directoryOffset)
  for (let i = 0, at = directoryOffset + 2; i < entries && at + 12 <= tiff.length; i++, at += 12)
    if (short(at) === ORIENTATION_TAG) return ROTATIONS[short(at + 8)] ?? 0
  return 0
}

export function parseJpegHeader(file: Buffer): JpegHead | undefined {
  let rotation: JpegHead['rotation'] = 0
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) return undefined
    const mark = file[at + 1]!
    if (mark === 0xff) {
      at += 1
      continue
    }
    const length = file.readUInt16BE(at + 2)
    const segment = file.subarray(at + 4, at + 2 + length)
    if (mark === 0xe1 && rotation === 0) rotation = readRotation(segment)
    // Start of frame: size and number of colours. Three markers in this range have another meaning.
    if (mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc) {
      if (segment.length < 6) return undefined
      const [height, width, colours] = [segment.readUInt16BE(1), segment.readUInt16BE(3), segment[5]]
      if ((colours !== 1 && colours !== 3) || width === 0 || height === 0) return undefined
      return width * height > MAX_DOTS ? undefined : { width, height, colours, rotation }
    }
    if (mark === 0xda || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/**
 * Wraps a photo, upright, in a one-page PDF so that the PDF image decoder also handles photos. Undefined if the file is
 * not a readable JPEG.
 */
export function wrapJpegInPdf(file: Buffer): Uint8Array | undefined {
  const head = parseJpegHeader(file)
  if (!head) return undefined
  const scale = Math.min(1, MAX_SIDE_DOTS / Math.max(head.width, head.height)) * POINTS_PER_DOT
  const [width, height] = [head.width * scale, head.height * scale].map((side) => Math.max(1, side).toFixed(2))
  const pageContent = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${head.rotation} /Resources << /XObject << /P 5 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${pageContent.length} >>\nstream\n${pageContent}\nendstream`,
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${head.width} /Height ${head.height} /BitsPerComponent 8 /ColorSpace /Device${head.colours === 1 ? 'Gray' : 'RGB'} /Filter /DCTDecode /Length ${file.length} >>\nstream\n`,
      ),
      file,
      Buffer.from('\nendstream'),
    ]),
  ]
  const chunks = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = chunks[0]!.length
  for (const [index, object] of objects.entries()) {
    const chunk = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    offsets.push(length)
    chunks.push(chunk)
    length += chunk.length
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(chunks))
}

/** Number of channels per PNG colour type: grey, RGB, palette, grey and alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function unfilter(rows: Buffer, stride: number, step: number): Buffer {
  const count = Math.floor(rows.length / (stride + 1))
  const unfiltered = Buffer.alloc(stride * count)
  for (let y = 0; y < count; y++) {
    const filter = rows[y * (stride + 1)]
    const [from, to] = [y * (stride + 1) + 1, y * stride]
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? unfiltered[to + x - step]! : 0
      const above = y > 0 ? unfiltered[to + x - stride]! : 0
      const corner = x >= step && y > 0 ? unfiltered[to + x - stride - step]! : 0
      unfiltered[to + x] = rows[from + x]! + predictByte(filter, left, above, corner)
    }
  }
  return unfiltered
}

function predictByte(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** Decodes a non-interlaced PNG with 8 bits per channel, as screenshots and phones produce; undefined for others. */
export function decodePng(file: Buffer): DecodedPixels | undefined {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const [bits, kind, interlaced] = [file[24], file[25]!, file[28]]
  const channels = CHANNELS[kind]
  if (bits !== 8 || interlaced !== 0 || channels === undefined || width * height > MAX_DOTS || width * height === 0)
    return undefined
  const packed: Buffer[] = []
  let palette: Buffer | undefined
  for (let at = 8; at + 12 <= file.length; ) {
    const [length, name] = [file.readUInt32BE(at), file.toString('latin1', at + 4, at + 8)]
    const content = file.subarray(at + 8, at + 8 + length)
    if (name === 'PLTE') palette = content
    if (name === 'IDAT') packed.push(content)
    if (name === 'IEND') break
    at += 12 + length
  }
  const stride = width * channels
  const rows = inflateSync(Buffer.concat(packed), { maxOutputLength: (stride + 1) * height })
  if (rows.length !== (stride + 1) * height) return undefined
  const dots = unfilter(rows, stride, channels)
  if (kind === 3) {
    const colours = palette ?? Buffer.alloc(0)
    const data = new Uint8Array(width * height * 3)
    for (const [i, dot] of dots.entries()) data.set(colours.subarray(dot * 3, dot * 3 + 3), i * 3)
    return { width, height, data, kind: 'rgb' }
  }
  if (kind === 4) {
    const data = new Uint8Array(width * height)
    for (let i = 0; i < data.length; i++) data[i] = dots[i * 2 + 1]! === 0 ? 255 : dots[i * 2]!
    return { width, height, data, kind: 'grey' }
  }
  return { width, height, data: dots, kind: kind === 0 ? 'grey' : kind === 2 ? 'rgb' : 'rgba' }
}

export function toGreyscaleRaster(pixels: DecodedPixels): GreyscaleRaster {
  const scale = Math.min(1, MAX_SIDE_DOTS / Math.max(pixels.width, pixels.height))
  const raster = createBlankRaster(
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  )
  paintImage(raster, pixels, [raster.width, 0, 0, -raster.height, 0, raster.height])
  return raster
}
