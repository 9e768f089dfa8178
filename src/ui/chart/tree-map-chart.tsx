import { hierarchy, treemap } from 'd3-hierarchy'
import { classNames } from '#src/lib/class-names.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { ChartTarget } from './chart-target.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

type TreeMapChartTile = {
  readonly key: string
  readonly label: string
  /** Value that determines the area of the tile. Values of 0 or less appear only in the table. */
  readonly value: number
  readonly text: string
  readonly tone?: ChartColour | undefined
  readonly onOpen?: (() => void) | undefined
}

type TreeNode = { readonly tile?: TreeMapChartTile; children?: TreeNode[] }

const WIDE_FRAME = { width: 200, height: 80 }
const NARROW_FRAME = { width: 100, height: 110 }

/** Largest tile first; a tile drills down a level. Small ones show their name on hover and to screen readers. */
export function TreeMapChart({ label, nodes }: { label: string; nodes: readonly TreeMapChartTile[] }) {
  const frame = useMediaQuery('(width < 48rem)') ? NARROW_FRAME : WIDE_FRAME
  const root = hierarchy<TreeNode>({
    children: nodes.filter(({ value }) => value > 0).map((tile) => ({ tile })),
  })
    .sum(({ tile }) => tile?.value ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const leaves = treemap<TreeNode>().size([frame.width, frame.height]).paddingInner(0.6)(root).leaves()
  return (
    <ul aria-label={label} className="relative w-full" style={{ aspectRatio: `${frame.width} / ${frame.height}` }}>
      {leaves.map(({ data: { tile }, x0, x1, y0, y1 }) =>
        tile === undefined ? null : (
          <li
            key={tile.key}
            className="absolute"
            style={{
              left: `${(x0 / frame.width) * 100}%`,
              top: `${(y0 / frame.height) * 100}%`,
              width: `${((x1 - x0) / frame.width) * 100}%`,
              height: `${((y1 - y0) / frame.height) * 100}%`,
            }}
          >
            <TileBox tile={tile} />
          </li>
        ),
      )}
    </ul>
  )
}

function TileBox({ tile: { label, text, tone = 1, onOpen } }: { tile: TreeMapChartTile }) {
  return (
    <ChartTarget
      onOpen={onOpen}
      title={`${label} · ${text}`}
      className="relative flex size-full overflow-hidden rounded-control border border-line bg-surface-muted text-left"
      hoverClassName="hover:border-accent-ink"
    >
      <span aria-hidden className={classNames('absolute inset-0 opacity-15', getChartColourClasses(tone).background)} />
      <span className="relative size-full min-w-0 overflow-hidden p-2 text-sm [container-type:size]">
        <span className="line-clamp-2 font-medium @max-[4rem]:sr-only [@container(height<3.75rem)]:line-clamp-1 [@container(height<1.25rem)]:sr-only">
          {label}
        </span>
        <span className="block truncate text-xs text-ink-muted tabular-nums @max-[4rem]:sr-only [@container(height<2.375rem)]:sr-only">
          {text}
        </span>
      </span>
    </ChartTarget>
  )
}
