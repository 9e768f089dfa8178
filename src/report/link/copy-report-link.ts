import type { ReportSearch } from '#contract/report/report-params.ts'
import { sharedSearch } from '#contract/report/short-link.ts'
import { isDemo } from '#src/account/api/demo.ts'
import { sentLink } from '#src/lib/link-repair.ts'
import { makeShortLink } from '#src/report/api/short-links.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

type Link = {
  readonly url: string
  /** What whoever copied it should know. */
  readonly note: string
}

/**
 * Hands the address of the report over: to the share sheet of a phone, else to the clipboard. It is a short link (decision 0041) wherever one can
 * be made, and the long address otherwise, which always works. `isPersonal`: the result is made of stars or labels, which each reader has of their own.
 */
export async function copyReportLink(search: ReportSearch, isPersonal: boolean): Promise<void> {
  const link = linkOf(search, isPersonal)
  if ('share' in navigator && window.matchMedia('(pointer: coarse)').matches) {
    const isDone = await share(link)
    if (isDone) return
  }
  try {
    await writeWhenKnown(link.then(({ url }) => url))
    const { note } = await link
    showToast({ tone: 'done', text: ['คัดลอกลิงก์แล้ว', note].filter(Boolean).join(' ') })
  } catch {
    showToast({ tone: 'error', text: 'คัดลอกไม่ได้ คัดลอกจากแถบที่อยู่ของเบราว์เซอร์แทน' })
  }
}

/** Makes the short link. Where none can be made it resolves to the address of the window, so that there is always a link to copy. */
async function linkOf(search: ReportSearch, isPersonal: boolean): Promise<Link> {
  const url = sentLink(window.location.href)
  const shared = sharedSearch(search)
  if (!shared) return { url, note: 'เป็นลิงก์แบบยาว เพราะมีป้ายกำกับ ซึ่งจะเป็นของคนที่เปิด' }
  if (isDemo()) return { url, note: 'เป็นลิงก์แบบยาว โหมดทดลองไม่สร้างลิงก์สั้น' }
  try {
    const code = await makeShortLink(shared)
    return {
      url: `${window.location.origin}/s/${code}`,
      note: isPersonal ? 'ดาวและสิ่งที่ซ่อนไว้ในลิงก์จะเป็นของคนที่เปิด' : '',
    }
  } catch {
    return { url, note: 'เป็นลิงก์แบบยาว เพราะตอนนี้สร้างลิงก์สั้นไม่ได้' }
  }
}

/** True when the sheet took it or was closed; false where it cannot be used. */
async function share(link: Promise<Link>): Promise<boolean> {
  const { url } = await link
  try {
    await navigator.share({ title: 'รายงานโครงการ · ตามงาน', url })
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}

/** Safari lets only what began with the press write to the clipboard: it is handed the promise, not what comes of it. */
async function writeWhenKnown(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
