import { FEWEST_RANKED, type WhoWins } from '#contract/market/who-wins.ts'
import { formatBahtCompact, formatCount, groupDigits, movePoint } from '#contract/thai/thai-number.ts'
import type { QuestionInMail, QuestionMail } from '#server/platform/mail/question-mail.ts'
import type { QuestionLinks } from './question-parts.ts'

const MOST_COMPANIES = 5

export type PartOfMail = {
  readonly name: string
  readonly words: string
  readonly address: Readonly<Record<string, string>>
  readonly answer: Pick<WhoWins, 'projects' | 'decided' | 'won' | 'figures' | 'companies'>
  readonly newWinners: readonly string[]
  readonly leaders: readonly string[]
  readonly leadersBefore: readonly string[] | null
}

/** `parts` are the questions with results, `unasked` the names of those that failed. */
export function questionMailOf(
  parts: readonly PartOfMail[],
  { links, unasked }: { readonly links: QuestionLinks; readonly unasked: readonly string[] },
): QuestionMail {
  const [first] = parts
  const winners = parts.reduce((sum, { newWinners }) => sum + newWinners.length, 0)
  const moved = parts.filter(({ leadersBefore }) => leadersBefore !== null).length
  const news = [
    ...(winners > 0 ? [`ผู้ชนะรายใหม่ ${formatCount(winners)} ราย`] : []),
    ...(moved > 0 ? ['สามอันดับแรกเปลี่ยน'] : []),
  ]
  const about = parts.length === 1 ? first!.name : `${formatCount(parts.length)} คำถามของคุณ`
  return {
    subject: `ใครชนะ: ${about} – ${news[0] ?? 'สรุปประจำเดือน'}`,
    preview: news.length > 0 ? news.join(' · ') : parts.map(({ name }) => name).join(', '),
    title: 'ใครชนะ คำถามที่คุณบันทึกไว้',
    questions: parts.map((part) => inMail(part, links)),
    notes: [
      ...unasked.map((name) => `คำถาม “${name}” ถามไม่ได้แล้ว จึงหยุดส่ง ดูสาเหตุได้ในรายการคำถามที่บันทึก`),
      'ตัวเลขรวมงานที่ส่งมอบแล้ว บุคคลธรรมดาไม่ถูกจัดอันดับ ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ (e-GP)',
    ],
    ends: [
      { text: 'เลือกสิ่งที่แจ้ง', url: links.page('/settings?tab=notifications') },
      { text: 'หยุดรับอีเมลคำถามที่บันทึก', url: links.questionsOff() },
    ],
    unsubscribeUrl: links.questionsOneClickOff(),
  }
}

function inMail(
  { name, words, address, answer, leaders, leadersBefore, newWinners }: PartOfMail,
  links: QuestionLinks,
): QuestionInMail {
  const { figures, companies, won } = answer
  const { median, n } = figures.discount
  const more = newWinners.length - MOST_COMPANIES
  const news = [
    ...(newWinners.length > 0
      ? [
          `ผู้ชนะรายใหม่: ${newWinners.slice(0, MOST_COMPANIES).join(', ')}${more > 0 ? ` และอีก ${formatCount(more)} ราย` : ''}`,
        ]
      : []),
    ...(leadersBefore ? [`สามอันดับแรก: ${leaders.join(', ')}`, `เดิม: ${leadersBefore.join(', ')}`] : []),
  ]
  const query = new URLSearchParams({ view: 'who_wins', ...address }).toString()
  return {
    name,
    words,
    news: news.length > 0 ? news : ['ไม่มีผู้ชนะรายใหม่ และสามอันดับแรกไม่เปลี่ยน'],
    figures: [
      {
        label: 'รู้ผลแล้ว',
        value: formatCount(answer.decided),
        note: `จาก ${formatCount(answer.projects)} โครงการ บริษัทชนะ ${formatCount(won)}`,
      },
      {
        label: 'มูลค่าที่รู้',
        value: formatBahtCompact(figures.value),
        note: `บาท n = ${formatCount(figures.n_value)}`,
      },
      {
        label: 'ลดจากราคากลาง (มัธยฐาน)',
        value: median === null ? '–' : percent(median),
        note: n < FEWEST_RANKED ? `n น้อยไป (${formatCount(n)})` : `n = ${formatCount(n)}`,
      },
    ],
    companies: companies.results.slice(0, MOST_COMPANIES).map((row) => ({
      name: row.name,
      facts: `ชนะ ${formatCount(row.wins)} งาน${row.share === null ? '' : ` · ${percent(row.share)} ของมูลค่า`}`,
    })),
    note: companies.is_ranked
      ? undefined
      : won === 0
        ? 'ยังไม่มีงานที่บริษัทชนะ'
        : `บริษัทชนะ ${formatCount(won)} งาน น้อยกว่า ${FEWEST_RANKED} จึงไม่จัดอันดับ`,
    links: [{ text: 'เปิดคำถามนี้', url: links.page(`/report?${query}`) }],
  }
}

const percent = (share: number) => `${groupDigits(movePoint(share, 2), 1)}%`
