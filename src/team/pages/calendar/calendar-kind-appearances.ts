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
import type { CalendarEventKind } from '#contract/team/calendar-params.ts'

type CalendarKindAppearance = {
  readonly icon: LucideIcon
  readonly text: string
  readonly edge: string
  readonly soft: string
  readonly bar: string
  readonly dot: string
}

export const CALENDAR_KIND_APPEARANCES: Readonly<Record<CalendarEventKind, CalendarKindAppearance>> = {
  bank_letter: {
    icon: Landmark,
    text: 'text-chart-6',
    edge: 'border-chart-6',
    soft: 'bg-chart-6/12',
    bar: 'border-l-chart-6',
    dot: 'bg-chart-6',
  },
  comment: {
    icon: MessageSquareText,
    text: 'text-chart-2',
    edge: 'border-chart-2',
    soft: 'bg-chart-2/12',
    bar: 'border-l-chart-2',
    dot: 'bg-chart-2',
  },
  question: {
    icon: CircleHelp,
    text: 'text-chart-4',
    edge: 'border-chart-4',
    soft: 'bg-chart-4/12',
    bar: 'border-l-chart-4',
    dot: 'bg-chart-4',
  },
  papers: {
    icon: FileDown,
    text: 'text-chart-4',
    edge: 'border-chart-4',
    soft: 'bg-chart-4/12',
    bar: 'border-l-chart-4',
    dot: 'bg-chart-4',
  },
  submission: {
    icon: Send,
    text: 'text-chart-1',
    edge: 'border-chart-1',
    soft: 'bg-chart-1/12',
    bar: 'border-l-chart-1',
    dot: 'bg-chart-1',
  },
  sample: {
    icon: Presentation,
    text: 'text-chart-7',
    edge: 'border-chart-7',
    soft: 'bg-chart-7/12',
    bar: 'border-l-chart-7',
    dot: 'bg-chart-7',
  },
  result: {
    icon: Trophy,
    text: 'text-chart-5',
    edge: 'border-chart-5',
    soft: 'bg-chart-5/12',
    bar: 'border-l-chart-5',
    dot: 'bg-chart-5',
  },
  appeal: {
    icon: Gavel,
    text: 'text-chart-3',
    edge: 'border-chart-3',
    soft: 'bg-chart-3/12',
    bar: 'border-l-chart-3',
    dot: 'bg-chart-3',
  },
  appeal_decision: {
    icon: Gavel,
    text: 'text-chart-3',
    edge: 'border-chart-3',
    soft: 'bg-chart-3/12',
    bar: 'border-l-chart-3',
    dot: 'bg-chart-3',
  },
  appeal_board: {
    icon: Scale,
    text: 'text-chart-3',
    edge: 'border-chart-3',
    soft: 'bg-chart-3/12',
    bar: 'border-l-chart-3',
    dot: 'bg-chart-3',
  },
  signing: {
    icon: PenLine,
    text: 'text-chart-8',
    edge: 'border-chart-8',
    soft: 'bg-chart-8/12',
    bar: 'border-l-chart-8',
    dot: 'bg-chart-8',
  },
  contract_end: {
    icon: FileCheck,
    text: 'text-chart-8',
    edge: 'border-chart-8',
    soft: 'bg-chart-8/12',
    bar: 'border-l-chart-8',
    dot: 'bg-chart-8',
  },
  warranty_end: {
    icon: ShieldCheck,
    text: 'text-chart-8',
    edge: 'border-chart-8',
    soft: 'bg-chart-8/12',
    bar: 'border-l-chart-8',
    dot: 'bg-chart-8',
  },
  guarantee_return: {
    icon: Undo2,
    text: 'text-chart-8',
    edge: 'border-chart-8',
    soft: 'bg-chart-8/12',
    bar: 'border-l-chart-8',
    dot: 'bg-chart-8',
  },
}
