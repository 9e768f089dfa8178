import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { FeedAttachment } from '#server/catalogue/feed/feed-source.ts'
import { generateAwardSteps } from './award-steps.ts'
import { addWorkingDaysToDayNumber, dayNumberToIsoDate, getNextWorkingDay } from './day-numbers.ts'
import type { SimulatedProjectHistory, SimulatedProjectHistoryStep } from './project-history.ts'
import type { ProjectPlan } from './project-plan.ts'
import {
  type CompetitionLevel,
  generateProjectTimeline,
  getCompetitionLevel,
  type ProjectTimeline,
} from './project-timeline.ts'
import { INVITATION_CANCELLED_REMARKS, NO_BIDDER_REMARKS, PROJECT_CANCELLED_REMARKS } from './remarks.ts'
import type { SampleCompanies } from './sample-companies.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { ProjectSimulationContext, SimulatedProjectOutcome } from './simulation-context.ts'
import {
  generateBaseFields,
  generateTenderEstimate,
  simulateInvitationAmendment,
  simulateTenderAnnouncement,
} from './tender-steps.ts'

type DocumentSpec = {
  readonly name: string
  readonly extension: 'pdf' | 'zip' | 'xlsx'
  readonly share: number
  readonly worksOnly?: boolean
}

const DOCUMENTS_BY_MOVEMENT: Readonly<Partial<Record<ProjectMovement, readonly DocumentSpec[]>>> = {
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

/**
 * Returns the documents of one step. The host is reserved for examples (RFC 2606), so no link points to a real site.
 */
function documentsOf(
  random: SeededRandom,
  plan: ProjectPlan,
  projectId: string,
  step: ProjectMovement,
  day: number,
): FeedAttachment[] {
  const isWorks = plan.type === 'construct'
  const published = dayNumberToIsoDate(day)
  return (DOCUMENTS_BY_MOVEMENT[step] ?? [])
    .filter((paper) => (paper.worksOnly !== true || isWorks) && random.next() < paper.share)
    .map((paper, index) => ({
      url: `https://egp.example/files/${projectId}/${published}-${step.replaceAll('_', '-')}-${index + 1}.${paper.extension}`,
      name: `${paper.name}.${paper.extension}`,
      step,
      publishedOn: published,
    }))
}

type SimulatedProject = {
  readonly history: SimulatedProjectHistory
  readonly retenderDay: number | undefined
}

export function simulateProject(
  random: SeededRandom,
  plan: ProjectPlan,
  projectId: string,
  created: number,
  companies: SampleCompanies,
): SimulatedProject {
  const steps: SimulatedProjectHistoryStep[] = []
  const timeline = generateProjectTimeline(random, plan, created)
  const competition = getCompetitionLevel(plan.method)
  const story: ProjectSimulationContext = {
    random,
    plan,
    competition,
    timeline,
    fate: fateOf(random, competition, timeline),
    announce: (movement, day, fields) =>
      steps.push({ day, movement, fields, attachments: documentsOf(random, plan, projectId, movement, day) }),
    show: (day, fields) => steps.push({ day, fields }),
  }
  const base = generateBaseFields(story)
  const retenderDay = runStory(story, companies)
  return { history: { projectId, base, steps: steps.toSorted((a, b) => a.day - b.day) }, retenderDay }
}

function runStory(story: ProjectSimulationContext, companies: SampleCompanies): number | undefined {
  const { random, plan, competition, timeline, fate } = story
  const estimate = generateTenderEstimate(random, plan)
  if (competition === 'specific') {
    generateAwardSteps(story, estimate.final, 0, companies)
    return undefined
  }
  simulateTenderAnnouncement(story, estimate)
  if (fate === 'draft_dropped') return undefined
  const amended = simulateInvitationAmendment(story, estimate)
  if (fate === 'invitation_withdrawn') {
    const openDays = amended.end - timeline.invited - 1
    return cancel(
      story,
      getNextWorkingDay(timeline.invited + 1 + Math.floor(random.next() * openDays)),
      INVITATION_CANCELLED_REMARKS,
    )
  }
  if (fate === 'no_bidder')
    return cancel(story, addWorkingDaysToDayNumber(amended.end, random.int(2, 9)), NO_BIDDER_REMARKS)
  if (fate === 'project_cancelled') {
    const remark = random.pick(PROJECT_CANCELLED_REMARKS)
    const day = addWorkingDaysToDayNumber(amended.end, random.int(6, 20))
    story.announce('project_cancelled', day, { status: 'project_cancelled', remark })
    return undefined
  }
  generateAwardSteps(story, amended.estimateSatang, amended.end - timeline.submissionEnd, companies)
  return undefined
}

function cancel(
  { random, announce }: ProjectSimulationContext,
  day: number,
  remarks: readonly string[],
): number | undefined {
  announce('invitation_cancelled', day, { status: 'invitation_cancelled', remark: random.pick(remarks) })
  return random.chance(0.7) ? addWorkingDaysToDayNumber(day, random.int(6, 18)) : undefined
}

/**
 * Shares among competitive projects: 1.4 % never get past the draft, 5 % lose their invitation, 1 % are cancelled
 * later.
 */
function fateOf(
  random: SeededRandom,
  competition: CompetitionLevel,
  timeline: ProjectTimeline,
): SimulatedProjectOutcome {
  const roll = random.next()
  if (competition === 'specific') return roll < 0.012 ? 'project_cancelled' : 'contract'
  if (roll < 0.014) return timeline.draft === undefined ? 'contract' : 'draft_dropped'
  if (roll < 0.03) return 'invitation_withdrawn'
  if (roll < 0.064) return 'no_bidder'
  if (roll < 0.074) return 'project_cancelled'
  if (roll < 0.082) return 'winner_cancelled'
  return roll < 0.095 ? 'winner_amended' : 'contract'
}
