import type { messagingApi } from '@line/bot-sdk'
import type { Qualifications } from '#contract/account/qualification.ts'
import { isActionable, NEAR_DEADLINE_LABELS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { type DeadlineUrgency, getDeadlineTimeLeft } from '#contract/catalogue/time-left.ts'
import { type DeadlineCountdownFacts, getDeadlineCountdownState } from '#contract/report/deadlines.ts'
import { decideEligibility, type EligibilityProject, formatEligibility } from '#contract/report/eligibility.ts'
import { formatMorningFigures } from '#contract/report/morning-queue.ts'
import { PROJECT_FEEDBACK_VERDICTS } from '#contract/report/project-feedback.ts'
import { formatThaiDateShort, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { MorningSummary } from '#server/channels/channel/channel-sender.ts'
import {
  createCompactLineFlexButton,
  createLineFlexBox,
  createLineFlexBudget,
  createLineFlexStatusPill,
  createLineFlexText,
  createLinePostbackAction,
  createLineUriAction,
  createOutlinedLineFlexButton,
  createPrimaryLineFlexButton,
  formatLineCardCount,
  LINE_CARD_AMBER_TONE,
  LINE_CARD_COLOURS,
  LINE_CARD_EMERALD_TONE,
  LINE_CARD_ROSE_TONE,
  LINE_CARD_SLATE_TONE,
  LINE_CARD_TEAL_TONE,
  LINE_FLEX_SEPARATOR,
  type LineFlexBox,
  type LineFlexComponent,
  MAX_LINE_DISPLAY_TEXT_LENGTH,
  truncateLineCardText,
} from './flex-parts.ts'
import type { LineMessage } from './line-api.ts'
import type { LinePostbackAction } from './postback-token.ts'

export type LineCardProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** In baht; null means unknown. */
  readonly budget: number | null
  readonly kind: 'new' | NearDeadlineKind | undefined
  readonly deadline: { readonly text: string; readonly urgency: DeadlineUrgency } | undefined
  readonly isStarred: boolean
  /** Whether a team can still prepare or submit a bid, so that an answer about the project is useful. */
  readonly isActionable: boolean
  readonly eligibility?: { readonly text: string; readonly isBlocked: boolean } | undefined
}

export type LineCardButtons = {
  press(action: LinePostbackAction, projectId: string): string
  page(path: string): string
}

/** Maximum characters of a project name. Two lines show about sixty; six names of 600 would exceed LINE's card size. */
const MAX_NAME_LENGTH = 140
export type LineCardFacts = DeadlineCountdownFacts &
  Pick<LineCardProject, 'name' | 'agency' | 'budget'> &
  EligibilityProject

export function toLineCardProject(
  facts: LineCardFacts,
  {
    now,
    kind,
    isStarred = false,
    bidder,
  }: { now: Date; kind?: LineCardProject['kind']; isStarred?: boolean; bidder?: Qualifications },
): LineCardProject {
  const { name, agency, budget, ...dates } = facts
  const today = getBangkokToday(now)
  const deadline = deadlineOf(dates, today, now)
  const eligibility = bidder && eligibilityOf(facts, bidder, today)
  const words = {
    name: truncateLineCardText(name, MAX_NAME_LENGTH),
    agency: truncateLineCardText(agency, MAX_LINE_DISPLAY_TEXT_LENGTH),
  }
  return {
    ...{ id: dates.project_id, ...words, budget, kind, deadline, isStarred, eligibility },
    isActionable: isActionable(facts, today),
  }
}

function eligibilityOf(facts: LineCardFacts, bidder: Qualifications, today: string): LineCardProject['eligibility'] {
  const decision = decideEligibility(facts, bidder, today)
  if (decision.verdict === 'unknown') return undefined
  const isBlocked = decision.verdict === 'blocked'
  const verdict = formatEligibility(decision)
  const text = isBlocked ? `✕ ${verdict}: ${decision.checks[0]!.text}` : `✓ ${verdict}`
  return { text: truncateLineCardText(text, MAX_NAME_LENGTH), isBlocked }
}

function deadlineOf(row: DeadlineCountdownFacts, today: string, now: Date): LineCardProject['deadline'] {
  const state = getDeadlineCountdownState(row, now)
  if (state.kind !== 'counting') return undefined
  const { day, time, kind } = state.deadline
  const { text: timeLeftText, urgency, daysLeft } = getDeadlineTimeLeft(day, time?.to, now)
  const date = urgency === 'urgent' ? '' : `${shortDay(day, today)} · `
  const hour = daysLeft === 1 && time ? ` · ${time.to} น.` : ''
  return { text: `${kind === 'comment' ? 'วิจารณ์ร่าง ' : ''}${date}${timeLeftText}${hour}`, urgency }
}

function shortDay(day: string, today: string): string {
  const full = formatThaiDateShort(day)
  return day.slice(0, 4) === today.slice(0, 4) ? full.slice(0, full.lastIndexOf(' ')) : full
}

const WEEKDAYS = ['อาทิตย์', 'จันทร์', 'อังคาร', 'พุธ', 'พฤหัสบดี', 'ศุกร์', 'เสาร์'] as const
const longDay = (iso: string) => `${WEEKDAYS[new Date(`${iso}T00:00:00Z`).getUTCDay()]} ${formatThaiDateShort(iso)}`

export type LineMorningCardContent = Pick<MorningSummary, 'day' | 'figures' | 'week' | 'path'> & {
  readonly projects: readonly LineCardProject[]
}

export function buildLineMorningCard(
  { day, figures, week, projects, path }: LineMorningCardContent,
  buttons: LineCardButtons,
): LineMessage {
  const title = `สรุปเช้า ${longDay(day)}`
  const counts = formatMorningFigures(figures)
  return flex([title, [counts, week].filter(Boolean).join(' · ')].filter(Boolean).join(': '), {
    type: 'bubble',
    size: 'mega',
    header: head(title, counts || undefined, week),
    body: createLineFlexBox('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
    footer: createLineFlexBox('vertical', [createPrimaryLineFlexButton('ไล่ดูทั้งหมด  →', buttons.page(path))], {
      paddingAll: '12px',
    }),
  })
}

export function buildLineProjectCard(
  { title, note, projects }: { title: string; note?: string | undefined; projects: readonly LineCardProject[] },
  buttons: LineCardButtons | Pick<LineCardButtons, 'page'>,
): LineMessage {
  return flex(`${title}: ${projects.map(({ name }) => name).join(', ')}`, {
    type: 'bubble',
    size: 'mega',
    header: head(title, note),
    body: createLineFlexBox('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
  })
}

export type LineCardNotification = {
  readonly text: string
  readonly detail: string
  readonly path: string
  readonly project: LineCardProject | undefined
}

/** Maximum notifications per card: with all buttons, six stay below LINE's 30 kB. */
export const MAX_LINE_CARD_NOTIFICATIONS = 6

export function buildLineNotificationsCard(
  { notifications, more }: { notifications: readonly LineCardNotification[]; more: number },
  buttons: LineCardButtons,
): LineMessage {
  const [first] = notifications
  const title =
    notifications.length + more === 1
      ? first!.text
      : `มีเรื่องแจ้ง ${formatLineCardCount(notifications.length + more)} เรื่อง`
  const blocks = notifications.flatMap(({ text: heading, detail, path, project }, at): LineFlexComponent[] => [
    ...(at > 0 ? [LINE_FLEX_SEPARATOR] : []),
    ...(notifications.length + more > 1
      ? [
          createLineFlexBox(
            'vertical',
            [
              createLineFlexText(truncateLineCardText(heading, MAX_NAME_LENGTH), {
                size: 'xs',
                color: LINE_CARD_COLOURS.head,
                weight: 'bold',
                wrap: true,
              }),
            ],
            {
              paddingAll: '16px',
              paddingBottom: 'none',
            },
          ),
        ]
      : []),
    project
      ? projectBlock(project, buttons)
      : createLineFlexBox(
          'vertical',
          [
            createLineFlexText(truncateLineCardText(detail || heading, MAX_NAME_LENGTH), {
              wrap: true,
              maxLines: 2,
              weight: 'bold',
              size: 'sm',
              color: LINE_CARD_COLOURS.ink,
            }),
            createLineFlexBox(
              'horizontal',
              [
                createOutlinedLineFlexButton(
                  '↗ เปิด',
                  LINE_CARD_TEAL_TONE,
                  createLineUriAction('เปิด', buttons.page(path)),
                ),
              ],
              {
                margin: 'md',
              },
            ),
          ],
          { paddingAll: '16px' },
        ),
  ])
  return flex(`${title}: ${notifications.map(({ detail, text: heading }) => detail || heading).join(', ')}`, {
    type: 'bubble',
    size: 'mega',
    header: head(title, undefined),
    body: createLineFlexBox('vertical', blocks, { paddingAll: 'none' }),
    ...(more > 0 && {
      footer: createLineFlexBox(
        'vertical',
        [createPrimaryLineFlexButton(`ดูอีก ${formatLineCardCount(more)} เรื่องในระบบ  →`, buttons.page('/report'))],
        {
          paddingAll: '12px',
        },
      ),
    }),
  })
}

export function buildLineReplyCard(
  message: string,
  button?: { readonly label: string; readonly action: messagingApi.Action },
) {
  if (!button) return { type: 'text', text: message } satisfies LineMessage
  return flex(message, {
    type: 'bubble',
    size: 'kilo',
    body: createLineFlexBox(
      'vertical',
      [createLineFlexText(message, { wrap: true, size: 'sm', color: LINE_CARD_COLOURS.ink })],
      {
        paddingAll: '14px',
      },
    ),
    footer: createLineFlexBox(
      'vertical',
      [createOutlinedLineFlexButton(button.label, LINE_CARD_TEAL_TONE, button.action)],
      {
        paddingAll: '12px',
        paddingTop: 'none',
      },
    ),
  })
}

const flex = (altText: string, contents: messagingApi.FlexContainer): LineMessage => ({
  type: 'flex',
  altText: truncateLineCardText(altText, 400),
  contents,
})

const head = (line: string, title: string | undefined, note?: string): LineFlexBox =>
  createLineFlexBox(
    'vertical',
    [
      createLineFlexText(line, {
        size: title === undefined ? 'md' : 'sm',
        color: title === undefined ? LINE_CARD_COLOURS.white : LINE_CARD_COLOURS.headSoft,
      }),
      ...(title === undefined
        ? []
        : [createLineFlexText(title, { size: 'xl', weight: 'bold', color: LINE_CARD_COLOURS.white, wrap: true })]),
      ...(note === undefined
        ? []
        : [createLineFlexText(note, { size: 'sm', color: LINE_CARD_COLOURS.headSoft, wrap: true })]),
    ],
    { backgroundColor: LINE_CARD_COLOURS.head, paddingAll: '16px' },
  )

const projectBlocks = (
  projects: readonly LineCardProject[],
  buttons: LineCardButtons | Pick<LineCardButtons, 'page'>,
) =>
  projects.flatMap((project, at): LineFlexComponent[] => [
    ...(at > 0 ? [LINE_FLEX_SEPARATOR] : []),
    projectBlock(project, buttons),
  ])

function projectBlock(project: LineCardProject, buttons: LineCardButtons | Pick<LineCardButtons, 'page'>): LineFlexBox {
  const { kind, deadline, name, agency, budget, eligibility } = project
  const urgency = deadline?.urgency
  const due =
    urgency === 'urgent'
      ? LINE_CARD_ROSE_TONE.ink
      : urgency === 'soon'
        ? LINE_CARD_AMBER_TONE.ink
        : LINE_CARD_COLOURS.muted
  const marks: LineFlexComponent[] = [
    ...(kind
      ? [
          createLineFlexStatusPill(
            kind === 'new' ? 'ใหม่' : NEAR_DEADLINE_LABELS[kind],
            kind === 'new' ? LINE_CARD_EMERALD_TONE : urgency === 'soon' ? LINE_CARD_AMBER_TONE : LINE_CARD_ROSE_TONE,
          ),
        ]
      : []),
    createLineFlexText(deadline?.text ?? 'ไม่มีวันสิ้นสุดยื่น', {
      size: 'xs',
      align: kind ? 'end' : 'start',
      gravity: 'center',
      color: due,
      ...(urgency && urgency !== 'plain' && { weight: 'bold' }),
    }),
  ]
  return createLineFlexBox(
    'vertical',
    [
      createLineFlexBox('horizontal', marks, { alignItems: 'center' }),
      createLineFlexText(name, {
        wrap: true,
        maxLines: 2,
        weight: 'bold',
        size: 'sm',
        color: LINE_CARD_COLOURS.ink,
        margin: 'sm',
      }),
      createLineFlexBox('horizontal', [
        createLineFlexText(agency || 'ไม่ระบุหน่วยงาน', { size: 'xs', color: LINE_CARD_COLOURS.muted, flex: 3 }),
        createLineFlexBudget(budget),
      ]),
      ...(eligibility
        ? [
            createLineFlexText(eligibility.text, {
              size: 'xs',
              color: eligibility.isBlocked ? LINE_CARD_ROSE_TONE.ink : LINE_CARD_EMERALD_TONE.ink,
            }),
          ]
        : []),
      createLineFlexBox('horizontal', controls(project, buttons), { spacing: 'sm', margin: 'md' }),
      ...('press' in buttons && project.isActionable
        ? [createLineFlexBox('horizontal', feedbackButtons(project, buttons), { spacing: 'sm', margin: 'sm' })]
        : []),
    ],
    { paddingAll: '16px' },
  )
}

/** `irrelevant` also hides the project, so it replaces the button that only hides. The reply names the project. */
const feedbackButtons = ({ id }: LineCardProject, { press }: LineCardButtons): LineFlexComponent[] =>
  PROJECT_FEEDBACK_VERDICTS.map(({ code, th }) =>
    createCompactLineFlexButton(th, createLinePostbackAction(th, press(code, id), th)),
  )

function controls(
  project: LineCardProject,
  buttons: LineCardButtons | Pick<LineCardButtons, 'page'>,
): LineFlexComponent[] {
  const { id, name, isStarred } = project
  const open = createOutlinedLineFlexButton(
    '↗ เปิด',
    LINE_CARD_TEAL_TONE,
    createLineUriAction('เปิด', buttons.page(`/report/${encodeURIComponent(id)}`)),
    3,
  )
  // Cards in groups neither show nor change personal marks, so they have no buttons for them.
  if (!('press' in buttons)) return [open]
  const star = isStarred
    ? createOutlinedLineFlexButton(
        '★ ติดดาวแล้ว',
        LINE_CARD_AMBER_TONE,
        createLinePostbackAction('เอาดาวออก', buttons.press('unstar', id), `เอาดาวออก: ${name}`),
        5,
      )
    : createOutlinedLineFlexButton(
        '☆ ติดดาว',
        LINE_CARD_SLATE_TONE,
        createLinePostbackAction('ติดดาว', buttons.press('star', id), `ติดดาว: ${name}`),
        4,
      )
  if (project.isActionable) return [star, open]
  const hide = createOutlinedLineFlexButton(
    'ไม่สนใจ',
    LINE_CARD_SLATE_TONE,
    createLinePostbackAction('ไม่สนใจ', buttons.press('hide', id), `ไม่สนใจ: ${name}`),
    4,
  )
  return [star, hide, open]
}
