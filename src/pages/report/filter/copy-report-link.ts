import { showToast } from '#src/ui/overlay/toast.ts'

/** Puts the address of the report on the clipboard. `isPersonal`: it holds stars or labels, which each reader has of their own. */
export async function copyReportLink(isPersonal: boolean): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href)
    showToast({
      tone: 'done',
      text: isPersonal ? 'คัดลอกลิงก์แล้ว ดาวและป้ายกำกับในลิงก์จะเป็นของคนที่เปิด' : 'คัดลอกลิงก์แล้ว',
    })
  } catch {
    showToast({ tone: 'error', text: 'คัดลอกไม่ได้ คัดลอกจากแถบที่อยู่ของเบราว์เซอร์แทน' })
  }
}
