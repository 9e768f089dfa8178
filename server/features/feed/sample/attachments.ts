import type { ProjectMovement } from '#contract/project.ts'
import type { FeedAttachment } from '../feed-source.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { Random } from './seeded-random.ts'
import { isoOf } from './working-days.ts'

type Paper = {
  readonly name: string
  readonly extension: 'pdf' | 'zip' | 'xlsx'
  readonly share: number
  readonly worksOnly?: boolean
}

/** Papers that e-GP hangs on each announcement, and how often each is there. */
const PAPERS: Readonly<Partial<Record<ProjectMovement, readonly Paper[]>>> = {
  draft_published: [
    { name: 'ร่างประกาศและร่างเอกสารประกวดราคา', extension: 'pdf', share: 1 },
    { name: 'ร่างขอบเขตของงาน (TOR)', extension: 'pdf', share: 0.9 },
    { name: 'แบบรูปรายการ', extension: 'zip', share: 0.7, worksOnly: true },
  ],
  draft_revised: [
    { name: 'ร่างเอกสารประกวดราคา (ฉบับแก้ไข)', extension: 'pdf', share: 1 },
    { name: 'สรุปข้อคิดเห็นและการปรับปรุง', extension: 'pdf', share: 0.7 },
  ],
  reference_price_published: [
    { name: 'ตารางแสดงวงเงินงบประมาณและราคากลาง', extension: 'pdf', share: 1 },
    { name: 'แบบสรุปราคากลางงานก่อสร้าง', extension: 'xlsx', share: 0.6, worksOnly: true },
  ],
  invited: [
    { name: 'ประกาศเชิญชวน', extension: 'pdf', share: 1 },
    { name: 'เอกสารประกวดราคา', extension: 'pdf', share: 0.9 },
    { name: 'ขอบเขตของงานและรายละเอียดคุณลักษณะเฉพาะ', extension: 'pdf', share: 0.8 },
    { name: 'แบบรูปรายการงานก่อสร้างและใบแจ้งปริมาณงาน', extension: 'zip', share: 0.85, worksOnly: true },
  ],
  invitation_amended: [
    { name: 'ประกาศเปลี่ยนแปลงประกาศเชิญชวน', extension: 'pdf', share: 1 },
    { name: 'เอกสารประกวดราคา (ฉบับแก้ไข)', extension: 'pdf', share: 0.6 },
  ],
  invitation_cancelled: [{ name: 'ประกาศยกเลิกประกาศเชิญชวน', extension: 'pdf', share: 1 }],
  winner_announced: [{ name: 'ประกาศรายชื่อผู้ชนะการเสนอราคา', extension: 'pdf', share: 1 }],
  winner_amended: [{ name: 'ประกาศเปลี่ยนแปลงผู้ชนะการเสนอราคา', extension: 'pdf', share: 1 }],
  winner_cancelled: [{ name: 'ประกาศยกเลิกผู้ชนะการเสนอราคา', extension: 'pdf', share: 1 }],
  contract_created: [{ name: 'สาระสำคัญในสัญญา', extension: 'pdf', share: 0.8 }],
  project_cancelled: [{ name: 'ประกาศยกเลิกโครงการ', extension: 'pdf', share: 1 }],
}

/** The documents of one step. The host is reserved for examples (RFC 2606), so no link leads anywhere real. */
export function papersOf(
  random: Random,
  plan: ProjectPlan,
  projectId: string,
  step: ProjectMovement,
  day: number,
): FeedAttachment[] {
  const isWorks = plan.type === 'construct'
  const published = isoOf(day)
  return (PAPERS[step] ?? [])
    .filter((paper) => (paper.worksOnly !== true || isWorks) && random.next() < paper.share)
    .map((paper, index) => ({
      url: `https://egp.example/files/${projectId}/${published}-${step.replaceAll('_', '-')}-${index + 1}.${paper.extension}`,
      name: `${paper.name}.${paper.extension}`,
      step,
      publishedOn: published,
    }))
}
