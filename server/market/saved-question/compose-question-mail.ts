import { MIN_PROJECTS_TO_RANK_WINNERS, type WhoWins } from '#contract/market/who-wins.ts'
import { formatBahtCompact, formatCount, groupDigits, shiftDecimalPoint } from '#contract/thai/thai-number.ts'
import type { SavedQuestionMail, SavedQuestionMailItem } from '#server/platform/mail/render-saved-question-mail.ts'
import type { SavedQuestionMailLinks } from './saved-question-job-dependencies.ts'

const MAX_COMPANIES = 5

export type SavedQuestionMailEntry = {
  readonly name: string
  readonly words: string
  readonly address: Readonly<Record<string, string>>
  readonly answer: Pick<WhoWins, 'projects' | 'decided' | 'won' | 'figures' | 'companies' | 'scope'>
  readonly newWinners: readonly string[]
  readonly leaders: readonly string[]
  readonly leadersBefore: readonly string[] | null
}

/**
 * Composes the email about a user's questions. `parts`: the questions with results. `failed`: names of the questions
 * that failed.
 */
export function composeSavedQuestionMail(
  parts: readonly SavedQuestionMailEntry[],
  { links, failed }: { readonly links: SavedQuestionMailLinks; readonly failed: readonly string[] },
): SavedQuestionMail {
  const [first] = parts
  const winners = parts.reduce((sum, { newWinners }) => sum + newWinners.length, 0)
  const movedCount = parts.filter(({ leadersBefore }) => leadersBefore !== null).length
  const changeTexts = [
    ...(winners > 0 ? [`ผู้ชนะรายใหม่ ${formatCount(winners)} ราย`] : []),
    ...(movedCount > 0 ? ['สามอันดับแรกเปลี่ยน'] : []),
  ]
  const about = parts.length === 1 ? first!.name : `${formatCount(parts.length)} คำถามของคุณ`
  return {
    subject: `ใครชนะ: ${about} – ${changeTexts[0] ?? 'สรุปประจำเดือน'}`,
    preview: changeTexts.length > 0 ? changeTexts.join(' · ') : parts.map(({ name }) => name).join(', '),
    title: 'ใครชนะ คำถามที่คุณบันทึกไว้',
    questions: parts.map((part) => toQuestionInMail(part, links)),
    notes: [
      ...failed.map((name) => `คำถาม “${name}” ถามไม่ได้แล้ว จึงหยุดส่ง ดูสาเหตุได้ในรายการคำถามที่บันทึก`),
      'ตัวเลขรวมงานที่ส่งมอบแล้ว บุคคลธรรมดาไม่ถูกจัดอันดับ ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ (e-GP)',
    ],
    ends: [
      { text: 'เลือกสิ่งที่แจ้ง', url: links.page('/settings?tab=notifications') },
      { text: 'หยุดรับอีเมลคำถามที่บันทึก', url: links.questionsOff() },
    ],
    unsubscribeUrl: links.questionsOneClickOff(),
  }
}

function toQuestionInMail(
  { name, words, address, answer: result, leaders, leadersBefore, newWinners }: SavedQuestionMailEntry,
  links: SavedQuestionMailLinks,
): SavedQuestionMailItem {
  const { figures, companies, won, scope } = result
  const inDoubt = scope.amounts_in_doubt ?? 0
  const { median, n } = figures.discount
  const hiddenCount = newWinners.length - MAX_COMPANIES
  const changeTexts = [
    ...(newWinners.length > 0
      ? [
          `ผู้ชนะรายใหม่: ${newWinners.slice(0, MAX_COMPANIES).join(', ')}${hiddenCount > 0 ? ` และอีก ${formatCount(hiddenCount)} ราย` : ''}`,
        ]
      : []),
    ...(leadersBefore ? [`สามอันดับแรก: ${leaders.join(', ')}`, `เดิม: ${leadersBefore.join(', ')}`] : []),
  ]
  const query = new URLSearchParams({ view: 'who_wins', ...address }).toString()
  return {
    name,
    words,
    changes: changeTexts.length > 0 ? changeTexts : ['ไม่มีผู้ชนะรายใหม่ และสามอันดับแรกไม่เปลี่ยน'],
    figures: [
      {
        label: 'รู้ผลแล้ว',
        value: formatCount(result.decided),
        note: `จาก ${formatCount(result.projects)} โครงการ บริษัทชนะ ${formatCount(won)}`,
      },
      {
        label: 'มูลค่าที่รู้',
        value: formatBahtCompact(figures.value),
        note: `บาท n = ${formatCount(figures.n_value)}${inDoubt > 0 ? ` ไม่รวม ${formatCount(inDoubt)} ราคาที่น่าสงสัย` : ''}`,
      },
      {
        label: 'ลดจากราคากลาง (มัธยฐาน)',
        value: median === null ? '–' : percent(median),
        note: n < MIN_PROJECTS_TO_RANK_WINNERS ? `n น้อยไป (${formatCount(n)})` : `n = ${formatCount(n)}`,
      },
    ],
    companies: companies.results.slice(0, MAX_COMPANIES).map((row) => ({
      name: row.name,
      facts: `ชนะ ${formatCount(row.wins)} งาน${row.share === null ? '' : ` · ${percent(row.share)} ของมูลค่า`}`,
    })),
    note: companies.is_ranked
      ? undefined
      : won === 0
        ? 'ยังไม่มีงานที่บริษัทชนะ'
        : `บริษัทชนะ ${formatCount(won)} งาน น้อยกว่า ${MIN_PROJECTS_TO_RANK_WINNERS} จึงไม่จัดอันดับ`,
    links: [{ text: 'เปิดคำถามนี้', url: links.page(`/report?${query}`) }],
  }
}

const percent = (share: number) => `${groupDigits(shiftDecimalPoint(share, 2), 1)}%`
