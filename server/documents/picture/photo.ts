import { inflateSync } from 'node:zlib'
import { blankRaster, type Pixels, paint, type Raster } from './raster.ts'

/** Longer side of a photo after scaling: A4 at 300 dpi. */
const LONGEST_DOTS = 3508
const MOST_DOTS = 50_000_000
const POINTS_A_DOT = 72 / 300

type JpegHead = {
  readonly width: number
  readonly height: number
  readonly colours: 1 | 3
  readonly turned: 0 | 90 | 180 | 270
}

/** Exif orientation (tag 274) as clockwise degrees to rotate by. Mirrored images are left as they are. */
const TURNED: Readonly<Record<number, JpegHead['turned']>> = { 3: 180, 6: 90, 8: 270 }
const ORIENTATION = 274

function turnOf(segment: Buffer): JpegHead['turned'] {
  if (segment.length < 14 || segment.toString('latin1', 0, 6) !== 'Exif\0\0') return 0
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return 0
  const entries = short(first)
  for (let i = 0, at = first + 2; i < entries && at + 12 <= tiff.length; i++, at += 12)
    if (short(at) === ORIENTATION) return TURNED[short(at + 8)] ?? 0
  return 0
}

export function jpegHead(file: Buffer): JpegHead | undefined {
  let turned: JpegHead['turned'] = 0
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) return undefined
    const mark = file[at + 1]!
    // Fill bytes before a marker.
    if (mark === 0xff) {
      at += 1
      continue
    }
    const length = file.readUInt16BE(at + 2)
    const segment = file.subarray(at + 4, at + 2 + length)
    if (mark === 0xe1 && turned === 0) turned = turnOf(segment)
    // Start of frame: size and number of colours. Three markers in this range mean something else.
    if (mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc) {
      if (segment.length < 6) return undefined
      const [height, width, colours] = [segment.readUInt16BE(1), segment.readUInt16BE(3), segment[5]]
      if ((colours !== 1 && colours !== 3) || width === 0 || height === 0) return undefined
      return width * height > MOST_DOTS ? undefined : { width, height, colours, turned }
    }
    if (mark === 0xda || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/**
 * Wraps a photo, upright, in a one-page PDF so that the PDF image decoder handles it as well. Undefined if it is not a
 * readable JPEG.
 */
export function pdfOfJpeg(file: Buffer): Uint8Array | undefined {
  const head = jpegHead(file)
  if (!head) return undefined
  const scale = Math.min(1, LONGEST_DOTS / Math.max(head.width, head.height)) * POINTS_A_DOT
  const [width, height] = [head.width * scale, head.height * scale].map((side) => Math.max(1, side).toFixed(2))
  const drawn = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${head.turned} /Resources << /XObject << /P 5 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${head.width} /Height ${head.height} /BitsPerComponent 8 /ColorSpace /Device${head.colours === 1 ? 'Gray' : 'RGB'} /Filter /DCTDecode /Length ${file.length} >>\nstream\n`,
      ),
      file,
      Buffer.from('\nendstream'),
    ]),
  ]
  const pieces = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let length = pieces[0]!.length
  for (const [index, object] of objects.entries()) {
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    places.push(length)
    pieces.push(piece)
    length += piece.length
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  pieces.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(pieces))
}

/** Channels per PNG colour type: grey, RGB, palette, grey and alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function unfilter(rows: Buffer, stride: number, step: number): Buffer {
  const count = Math.floor(rows.length / (stride + 1))
  const plain = Buffer.alloc(stride * count)
  for (let y = 0; y < count; y++) {
    const filter = rows[y * (stride + 1)]
    const [from, to] = [y * (stride + 1) + 1, y * stride]
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? plain[to + x - step]! : 0
      const above = y > 0 ? plain[to + x - stride]! : 0
      const corner = x >= step && y > 0 ? plain[to + x - stride - step]! : 0
      plain[to + x] = rows[from + x]! + predicted(filter, left, above, corner)
    }
  }
  return plain
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
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
export function pngPixels(file: Buffer): Pixels | undefined {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const [bits, kind, interlaced] = [file[24], file[25]!, file[28]]
  const channels = CHANNELS[kind]
  if (bits !== 8 || interlaced !== 0 || channels === undefined || width * height > MOST_DOTS || width * height === 0)
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

export function rasterOf(pixels: Pixels): Raster {
  const scale = Math.min(1, LONGEST_DOTS / Math.max(pixels.width, pixels.height))
  const raster = blankRaster(
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  )
  paint(raster, pixels, [raster.width, 0, 0, -raster.height, 0, raster.height])
  return raster
}
