/** Amber from this many days left, rose from the second (product 5.1.2, columns 14 and 16). */
const SOON_DAYS = 7
const URGENT_DAYS = 2

export type DeadlineTone = 'urgent' | 'soon' | 'plain' | 'past'
export type DeadlineText = { readonly text: string; readonly tone: DeadlineTone }

/** Words and tone of a deadline `daysLeft` Bangkok calendar days away; 0 is today, negative is past. */
export function deadlineText(daysLeft: number): DeadlineText {
  if (daysLeft < 0) return { text: 'หมดเขตแล้ว', tone: 'past' }
  if (daysLeft === 0) return { text: 'วันนี้วันสุดท้าย', tone: 'urgent' }
  const tone = daysLeft <= URGENT_DAYS ? 'urgent' : daysLeft <= SOON_DAYS ? 'soon' : 'plain'
  return { text: `เหลือ ${daysLeft} วัน`, tone }
}
