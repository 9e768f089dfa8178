import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { UnreadableDocumentReason } from '#contract/documents/document.ts'
import {
  createBlankRaster,
  type DecodedPixels,
  type GreyscaleRaster,
  IDENTITY_MATRIX,
  multiplyMatrices,
  paintImage,
  type TransformMatrix,
} from './raster.ts'

/** Best resolution for OCR; an A4 page then has 8.7 million pixels. */
const DOTS_PER_INCH = 300
const POINTS_PER_INCH = 72
/** Maximum pixels of a page: A3 at that resolution. Larger sheets are scaled down. */
const MAX_DOTS = 18_000_000
/** Maximum pixels of one embedded image: 50 million in colour take 150 MB. */
const MAX_IMAGE_DOTS = 50_000_000
const MAX_IMAGES = 2_000

type PdfImage = { width: number; height: number; kind?: number; data?: Uint8Array | Uint8ClampedArray | string }
const KINDS: Readonly<Record<number, DecodedPixels['kind']>> = { 1: 'bits', 2: 'rgb', 3: 'rgba' }

function greyOf(colour: unknown): number {
  const digits = typeof colour === 'string' ? /^#([0-9a-f]{6})$/.exec(colour)?.[1] : undefined
  if (digits === undefined) return 0
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  return (77 * red + 150 * green + 29 * blue) >> 8
}

/**
 * Draws the images of one PDF page at their positions, at 300 dpi. Omits text and lines, because the text layer already
 * covers them. Never throws.
 * @param bytes the file; ownership is transferred
 * @param number 1-based
 * @returns undefined for a page without images
 */
export async function drawPageImages(
  bytes: Uint8Array,
  number: number,
): Promise<GreyscaleRaster | undefined | { readonly reason: UnreadableDocumentReason }> {
  try {
    const pdf = await getDocumentProxy(bytes, {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      isOffscreenCanvasSupported: false,
      maxImageSize: MAX_IMAGE_DOTS,
      verbosity: 0,
    })
    const page = await pdf.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const targetScale = DOTS_PER_INCH / POINTS_PER_INCH
    const scale = Math.min(targetScale, Math.sqrt(MAX_DOTS / (width * height)))
    const viewport = page.getViewport({ scale })
    const raster = createBlankRaster(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
    const { OPS } = await getResolvedPDFJS()
    const { fnArray, argsArray } = await page.getOperatorList()
    const loadImage = async (id: string): Promise<PdfImage | null> =>
      await new Promise((resolve) => (id.startsWith('g_') ? page.commonObjs : page.objs).get(id, resolve))

    let graphics: { readonly matrix: TransformMatrix; readonly ink: number } = {
      matrix: viewport.transform as unknown as TransformMatrix,
      ink: 0,
    }
    const graphicsStack: (typeof graphics)[] = []
    let painted = 0
    const show = async (imageOrId: unknown, isMask: boolean, matrix: TransformMatrix = IDENTITY_MATRIX) => {
      const image = typeof imageOrId === 'string' ? await loadImage(imageOrId) : (imageOrId as PdfImage | null)
      // Mask data may be stored in a separate object.
      const data = typeof image?.data === 'string' ? (await loadImage(image.data))?.data : image?.data
      const kind = isMask ? 'mask' : KINDS[image?.kind ?? 0]
      if (!image || typeof data !== 'object' || kind === undefined) return
      paintImage(
        raster,
        { width: image.width, height: image.height, data, kind },
        multiplyMatrices(graphics.matrix, matrix),
        graphics.ink,
      )
      painted += 1
    }
    for (const [at, operation] of fnArray.entries()) {
      const args = (argsArray[at] ?? []) as unknown[]
      if (painted >= MAX_IMAGES) return { reason: 'too-large' }
      if (operation === OPS.save) graphicsStack.push(graphics)
      else if (operation === OPS.restore) graphics = graphicsStack.pop() ?? graphics
      else if (operation === OPS.transform)
        graphics = { ...graphics, matrix: multiplyMatrices(graphics.matrix, args as unknown as TransformMatrix) }
      else if (operation === OPS.paintFormXObjectBegin) {
        graphicsStack.push(graphics)
        if (Array.isArray(args[0]))
          graphics = { ...graphics, matrix: multiplyMatrices(graphics.matrix, args[0] as unknown as TransformMatrix) }
      } else if (operation === OPS.paintFormXObjectEnd) graphics = graphicsStack.pop() ?? graphics
      else if (operation === OPS.setFillRGBColor) graphics = { ...graphics, ink: greyOf(args[0]) }
      else if (operation === OPS.paintImageXObject || operation === OPS.paintInlineImageXObject)
        await show(args[0], false)
      else if (operation === OPS.paintImageMaskXObject) await show(args[0], true)
      else if (operation === OPS.paintImageXObjectRepeat) {
        const [id, scaleX, scaleY, offsets] = args as [string, number, number, ArrayLike<number>]
        for (let i = 0; i + 1 < offsets.length; i += 2)
          await show(id, false, [scaleX, 0, 0, scaleY, offsets[i]!, offsets[i + 1]!])
      }
    }
    return painted === 0 ? undefined : raster
  } catch (error) {
    return { reason: error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken' }
  }
}
