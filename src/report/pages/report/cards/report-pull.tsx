import { reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { PullRefresh } from '#src/ui/pull-refresh/pull-refresh.tsx'

/** Pulling the cards down loads rows, counts and figures anew. */
export function ReportPull() {
  return <PullRefresh onRefresh={refreshReport} />
}

const TOAST = 'report-pull'

/** The rows stay while it asks, and after a failure; what is said when it has ended. */
async function refreshReport(): Promise<string> {
  const failed = (text: string) => {
    showToast({ tone: 'error', text, key: TOAST })
    return ''
  }
  // Without a network a query waits, and the pull would stay open as long. So it fails at once.
  if (!navigator.onLine) return failed('ไม่มีอินเทอร์เน็ต แถวที่เห็นเป็นของรอบก่อน')
  try {
    await queryClient.refetchQueries({ queryKey: reportKeys.all, type: 'active' }, { throwOnError: true })
    return 'โหลดรายงานใหม่แล้ว'
  } catch {
    return failed('โหลดใหม่ไม่สำเร็จ แถวที่เห็นเป็นของรอบก่อน')
  }
}
