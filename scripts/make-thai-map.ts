import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findProvinceByName } from '#contract/thai/province.ts'

/**
 * Makes the shapes of the map of provinces from `@svg-maps/thailand` (https://github.com/VictorCazanave/svg-maps, CC BY
 * 4.0; every drawing must credit it): by DOPA code, with the middle of the largest part of each province.
 *
 *   npm pack @svg-maps/thailand && tar xf svg-maps-thailand-*.tgz
 *   node scripts/make-thai-map.ts package/index.js ../shared/data/geo/provinces_77_six_regions.csv
 *
 * Points are rounded to whole units of a picture 500 wide and dropped if they equal the one before.
 */
const [source, names] = process.argv.slice(2)
if (source === undefined || names === undefined) throw new Error('usage: make-thai-map.ts MAP NAMES')

type Location = { readonly id: string; readonly name: string; readonly path: string }
type SvgMap = { readonly viewBox: string; readonly locations: readonly Location[] }

const TARGET = path.join(import.meta.dirname, '../src/report/pages/report/wins/province-shapes.gen.json')
const LAKE = /^Lake /
const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

const { default: map } = (await import(path.resolve(source))) as { default: SvgMap }
const codes = new Map(
  readFileSync(names, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([, thai, english]) => [plain(english!), findProvinceByName(thai!)!.code]),
)

type Point = readonly [number, number]

/** Parses the rings of a source path, which contains only lines, absolute or relative. */
function ringsOf(text: string): Point[][] {
  const rings: Point[][] = []
  let [x, y, command] = [0, 0, 'M']
  let ring: Point[] = []
  const parts = text
    .replace(/[a-zA-Z]/g, ' $& ')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
  for (let at = 0; at < parts.length; ) {
    const part = parts[at]!
    if (/[a-zA-Z]/.test(part)) {
      command = part
      at += 1
      if (/z/i.test(part)) {
        if (ring.length > 0) rings.push(ring)
        const [first] = ring
        if (first) [x, y] = first
        ring = []
      }
      continue
    }
    const next = () => Number(parts[at++])
    const isRelative = command === command.toLowerCase()
    switch (command.toUpperCase()) {
      case 'M':
      case 'L': {
        if (command.toUpperCase() === 'M') {
          if (ring.length > 0) rings.push(ring)
          ring = []
        }
        const [dx, dy] = [next(), next()]
        ;[x, y] = isRelative ? [x + dx, y + dy] : [dx, dy]
        if (command.toUpperCase() === 'M') command = isRelative ? 'l' : 'L'
        break
      }
      case 'H': {
        const dx = next()
        x = isRelative ? x + dx : dx
        break
      }
      case 'V': {
        const dy = next()
        y = isRelative ? y + dy : dy
        break
      }
      default:
        throw new Error(`unsupported path command ${command}`)
    }
    ring.push([x, y])
  }
  if (ring.length > 0) rings.push(ring)
  return rings
}

const [, , width] = map.viewBox.split(' ').map(Number)
const scale = 500 / width!
const area = (ring: readonly Point[]) =>
  Math.abs(
    ring.reduce((sum, [x, y], at) => {
      const [u, v] = ring[(at + 1) % ring.length]!
      return sum + x * v - u * y
    }, 0),
  ) / 2

const shapes = map.locations.flatMap(({ name, path: text }) => {
  if (LAKE.test(name)) return []
  const code = codes.get(plain(name))
  if (code === undefined) throw new Error(`unknown province ${name}`)
  const rings = ringsOf(text)
    .map((ring) =>
      ring
        .map(([x, y]): Point => [Math.round(x * scale), Math.round(y * scale)])
        .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]![0] || y !== all[at - 1]![1]),
    )
    .filter((ring) => ring.length > 2 && area(ring) >= 2)
  const largest = rings.toSorted((a, b) => area(b) - area(a))[0]!
  const middle = (axis: 0 | 1) => Math.round(largest.reduce((sum, point) => sum + point[axis], 0) / largest.length)
  const drawn = rings.map(([first, ...points]) => {
    let [x, y] = first!
    const steps = points.map(([u, v]) => {
      const step = `${u - x} ${v - y}`
      ;[x, y] = [u, v]
      return step
    })
    return `M${first![0]} ${first![1]}l${steps.join(' ').replaceAll(' -', '-')}z`
  })
  return [{ code, x: middle(0), y: middle(1), path: drawn.join('') }]
})
if (new Set(shapes.map(({ code }) => code)).size !== 77) throw new Error(`expected 77 shapes, found ${shapes.length}`)

const height = Math.ceil(Number(map.viewBox.split(' ')[3]) * scale)
const provinces = shapes.toSorted((a, b) => a.code - b.code)
writeFileSync(TARGET, `${JSON.stringify({ viewBox: `0 0 500 ${height}`, provinces }, undefined, 2)}\n`)
console.log(`${provinces.length} provinces`)
