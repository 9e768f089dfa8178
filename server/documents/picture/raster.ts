/** Greyscale image, one byte per pixel, top row first. 255 is white paper. */
export type GreyscaleRaster = { readonly width: number; readonly height: number; readonly grey: Uint8Array }

/**
 * Decoded image. Format `bits` has one bit per pixel, rows padded to a byte, 1 is white; in `mask`, 0 is painted and 1
 * is transparent.
 */
export type DecodedPixels = {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
  readonly kind: 'bits' | 'mask' | 'grey' | 'rgb' | 'rgba'
}

/** Affine transformation as in PDF: `x' = a x + c y + e`, `y' = b x + d y + f`. */
export type TransformMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const IDENTITY_MATRIX: TransformMatrix = [1, 0, 0, 1, 0, 0]

/** Multiplies two matrices: applies `inner` first, then `outer`. */
export const multiplyMatrices = (outer: TransformMatrix, inner: TransformMatrix): TransformMatrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

const PAPER_GREY = 255
const MAX_SAMPLES = 4

export const createBlankRaster = (width: number, height: number): GreyscaleRaster => ({
  width,
  height,
  grey: new Uint8Array(width * height).fill(PAPER_GREY),
})

/** Returns the grey value of one pixel, or -1 where nothing is painted. */
function greyAt({ width, data, kind }: DecodedPixels, x: number, y: number, ink: number): number {
  if (kind === 'grey') return data[y * width + x]!
  if (kind === 'bits' || kind === 'mask') {
    const isSet = (data[y * ((width + 7) >> 3) + (x >> 3)]! >> (7 - (x & 7))) & 1
    return kind === 'bits' ? isSet * PAPER_GREY : isSet ? -1 : ink
  }
  const at = (y * width + x) * (kind === 'rgb' ? 3 : 4)
  const grey = (77 * data[at]! + 150 * data[at + 1]! + 29 * data[at + 2]!) >> 8
  if (kind === 'rgb') return grey
  const alpha = data[at + 3]!
  return Math.round((grey * alpha + PAPER_GREY * (255 - alpha)) / 255)
}

/**
 * Paints an image into the raster. `matrix` maps PDF's unit square, whose origin is the image's lower left corner, to
 * raster pixels. `ink` is the grey value that a mask paints.
 */
export function paintImage(raster: GreyscaleRaster, pixels: DecodedPixels, matrix: TransformMatrix, ink = 0): void {
  const [a, b, c, d, e, f] = matrix
  const area = a * d - b * c
  if (!Number.isFinite(area) || Math.abs(area) < 1) return
  const xs = [e, e + a, e + c, e + a + c]
  const ys = [f, f + b, f + d, f + b + d]
  const [left, right] = [Math.max(0, Math.floor(Math.min(...xs))), Math.min(raster.width, Math.ceil(Math.max(...xs)))]
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(raster.height, Math.ceil(Math.max(...ys)))]
  const samples = (dots: number, imageDots: number) => Math.min(MAX_SAMPLES, Math.max(1, Math.round(imageDots / dots)))
  const across = samples(Math.hypot(a, b), pixels.width)
  const down = samples(Math.hypot(c, d), pixels.height)
  const perSide = Math.max(across, down)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      let sum = 0
      let painted = 0
      for (let i = 0; i < perSide; i++)
        for (let j = 0; j < perSide; j++) {
          const px = x + (i + 0.5) / perSide - e
          const py = y + (j + 0.5) / perSide - f
          const u = (d * px - c * py) / area
          const v = (a * py - b * px) / area
          if (u < 0 || u >= 1 || v < 0 || v >= 1) continue
          const grey = greyAt(pixels, Math.floor(u * pixels.width), Math.floor((1 - v) * pixels.height), ink)
          if (grey < 0) continue
          sum += grey
          painted += 1
        }
      if (painted === 0) continue
      const at = y * raster.width + x
      raster.grey[at] = Math.round((sum + raster.grey[at]! * (perSide * perSide - painted)) / (perSide * perSide))
    }
}

export const encodePortableGreymap = ({ width, height, grey }: GreyscaleRaster): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey])
