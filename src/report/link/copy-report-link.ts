import type { ReportSearch } from '#contract/report/report-params.ts'
import { toShareableSearch } from '#contract/report/short-link.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { createShortLink } from '#src/report/api/short-links.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

type ShareLink = {
  readonly url: string
  readonly note: string
}

/** Copies a short link (decision 0041), else the long URL. `isPersonal`: the result depends on the user's marks. */
export async function copyReportLink(search: ReportSearch, isPersonal: boolean): Promise<void> {
  const link = createShareLink(search, isPersonal)
  if ('share' in navigator && window.matchMedia('(pointer: coarse)').matches) {
    const isDone = await openShareSheet(link)
    if (isDone) return
  }
  try {
    await writeToClipboard(link.then(({ url }) => url))
    const { note } = await link
    showToast({ tone: 'done', text: ['คัดลอกลิงก์แล้ว', note].filter(Boolean).join(' ') })
  } catch {
    showToast({ tone: 'error', text: 'คัดลอกไม่ได้ คัดลอกจากแถบที่อยู่ของเบราว์เซอร์แทน' })
  }
}

/** Creates the link to share; falls back to the window's URL, so that there is always a link. */
async function createShareLink(search: ReportSearch, isPersonal: boolean): Promise<ShareLink> {
  const url = protectTrailingPunctuation(window.location.href)
  const shared = toShareableSearch(search)
  if (!shared) return { url, note: 'เป็นลิงก์แบบยาว เพราะมีป้ายกำกับ ซึ่งจะเป็นของคนที่เปิด' }
  if (isDemoSession()) return { url, note: 'เป็นลิงก์แบบยาว โหมดทดลองไม่สร้างลิงก์สั้น' }
  try {
    const code = await createShortLink(shared)
    return {
      url: `${window.location.origin}/s/${code}`,
      note: isPersonal ? 'ดาวและสิ่งที่ซ่อนไว้ในลิงก์จะเป็นของคนที่เปิด' : '',
    }
  } catch {
    return { url, note: 'เป็นลิงก์แบบยาว เพราะตอนนี้สร้างลิงก์สั้นไม่ได้' }
  }
}

/** Returns true when the sheet was used or dismissed; false if it is unavailable. */
async function openShareSheet(link: Promise<ShareLink>): Promise<boolean> {
  const { url } = await link
  try {
    await navigator.share({ title: 'รายงานโครงการ · ตามงาน', url })
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}

/** Safari allows clipboard writes only within the click, when the text is not ready, so pass a promise. */
async function writeToClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then((resolvedText) => new Blob([resolvedText], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
