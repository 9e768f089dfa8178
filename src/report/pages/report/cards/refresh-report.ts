import { reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

const TOAST_KEY = 'report-pull'

/** Refreshes the report; rows stay visible during and after a failed refresh. Resolves to the text to announce. */
export async function refreshReport(): Promise<string> {
  const failed = (text: string) => {
    showToast({ tone: 'error', text, key: TOAST_KEY })
    return ''
  }
  // Offline queries would wait and leave the pull indicator open, so fail at once.
  if (!navigator.onLine) return failed('ไม่มีอินเทอร์เน็ต แถวที่เห็นเป็นของรอบก่อน')
  try {
    await queryClient.refetchQueries({ queryKey: reportKeys.all, type: 'active' }, { throwOnError: true })
    return 'โหลดรายงานใหม่แล้ว'
  } catch {
    return failed('โหลดใหม่ไม่สำเร็จ แถวที่เห็นเป็นของรอบก่อน')
  }
}
