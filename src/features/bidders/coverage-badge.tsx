import type { ProjectDetail } from '#contract/project-detail.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'

type Coverage = ProjectDetail['bidder_coverage']

const WORDS: Readonly<Record<Coverage, { readonly name: string; readonly tone: BadgeTone; readonly text: string }>> = {
  full: { name: 'ครบทุกราย', tone: 'new', text: 'มีรายชื่อและราคาของผู้เสนอราคาทุกราย' },
  names: { name: 'ราคาไม่ครบ', tone: 'updated', text: 'มีรายชื่อผู้เสนอราคา แต่ไม่ทราบราคาของบางราย' },
  winner: { name: 'เฉพาะผู้ชนะ', tone: 'neutral', text: 'e-GP เผยแพร่เฉพาะผู้ชนะ ไม่ทราบว่ามีผู้เสนอราคารายอื่นหรือไม่' },
  none: { name: 'ไม่มีข้อมูล', tone: 'neutral', text: 'e-GP ไม่ได้เผยแพร่รายชื่อผู้เสนอราคา' },
}

/** How much of the bidding is known (N-14), in two words. */
export function CoverageBadge({ coverage }: { coverage: Coverage }) {
  return <Badge tone={WORDS[coverage].tone}>{WORDS[coverage].name}</Badge>
}

/** The same in a sentence. */
export function coverageText(coverage: Coverage): string {
  return WORDS[coverage].text
}
