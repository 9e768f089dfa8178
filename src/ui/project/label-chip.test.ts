import colors from 'tailwindcss/colors'
import { describe, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract/account/label-palette.ts'
import { getLabelColorClasses } from './label-chip.tsx'

/** Relative luminance of `oklch(L% C H)` (CSS Color 4: oklch → oklab → linear sRGB → Y). */
function luminance(color: string): number {
  if (color === '#fff') return 1
  const [, l, c, h] = /oklch\(([\d.]+)%? ([\d.]+) ([\d.]+)\)/.exec(color)!.map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const L = l > 1 ? l / 100 : l
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const [x, y, z] = [
    (L + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (L - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (L - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const clip = (v: number) => Math.min(Math.max(v, 0), 1)
  const red = clip(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z)
  const green = clip(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z)
  const blue = clip(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function colorOf(classes: string, prefix: string): string {
  const name = classes
    .split(' ')
    .find((word) => word.startsWith(prefix))!
    .slice(prefix.length)
  const [hue, shade] = name.split('-') as [keyof typeof colors, string]
  return shade === undefined ? '#fff' : (colors[hue] as unknown as Record<string, string>)[shade]!
}

function contrast(classes: string, theme: '' | 'dark:'): number {
  const [background, foreground] = [
    luminance(colorOf(classes, `${theme}bg-`)),
    luminance(colorOf(classes, `${theme}text-`)),
  ]
  return (Math.max(background, foreground) + 0.05) / (Math.min(background, foreground) + 0.05)
}

test('measures the contrast of known pairs', () => {
  expect(contrast('bg-white text-slate-500', '')).toBeCloseTo(4.76, 1)
})

describe('label colours', () => {
  test('are 29 distinct values', () => {
    expect(new Set(LABEL_COLORS).size).toBe(29)
  })

  test.each(LABEL_COLORS)('%s is readable in light and dark mode', (color) => {
    expect(contrast(getLabelColorClasses(color), '')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(getLabelColorClasses(color), 'dark:')).toBeGreaterThanOrEqual(4.5)
  })
})
