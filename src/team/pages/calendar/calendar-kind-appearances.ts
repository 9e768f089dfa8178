import {
  CircleHelp,
  FileCheck,
  FileDown,
  Gavel,
  Landmark,
  type LucideIcon,
  MessageSquareText,
  PenLine,
  Presentation,
  Scale,
  Send,
  ShieldCheck,
  Trophy,
  Undo2,
} from 'lucide-react'
import type { DeadlineKind } from '#contract/report/deadline-kind.ts'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'

const ICONS_AND_TONES: Readonly<Record<DeadlineKind, readonly [LucideIcon, ChartColour]>> = {
  bank_letter: [Landmark, 6],
  comment: [MessageSquareText, 2],
  question: [CircleHelp, 4],
  papers: [FileDown, 4],
  submission: [Send, 1],
  sample: [Presentation, 7],
  result: [Trophy, 5],
  appeal: [Gavel, 3],
  appeal_decision: [Gavel, 3],
  appeal_board: [Scale, 3],
  signing: [PenLine, 8],
  contract_end: [FileCheck, 8],
  warranty_end: [ShieldCheck, 8],
  guarantee_return: [Undo2, 8],
}

/** Icon and classes of a kind. `src/styles.css` lists the classes, because Tailwind does not find composed names. */
export function getCalendarKindAppearance(kind: DeadlineKind) {
  const [icon, tone] = ICONS_AND_TONES[kind]
  return {
    icon,
    text: `text-chart-${tone}`,
    edge: `border-chart-${tone}`,
    soft: `bg-chart-${tone}/12`,
    bar: `border-l-chart-${tone}`,
    dot: `bg-chart-${tone}`,
  }
}
