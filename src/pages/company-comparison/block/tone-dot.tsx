import { classNames } from '#src/lib/class-names.ts'
import { type ChartTone, toneClasses } from '#src/ui/chart/chart-tone.ts'

/** A company's colour in front of its name, in the line of the text. */
export function ToneDot({ tone }: { tone: ChartTone }) {
  return (
    <span aria-hidden className={classNames('mr-1.5 inline-block size-2 rounded-full', toneClasses(tone).background)} />
  )
}
