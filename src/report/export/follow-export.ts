import type { ExportRequest, ReportExport } from '#contract/report/report-export.ts'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { countText } from '#src/lib/money-text.ts'
import { downloadExport, isUnderWay, reportExportsQuery } from '#src/report/api/report-exports.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

const LOOK_AGAIN_MS = 1_000
/** Answers that fail one after the other before nobody looks any more: a minute. The list of exports tells then. */
const MOST_FAILURES = 60

/** What this tab asked for, so that it can be asked again: the server keeps the file, not the question. */
const asked = new Map<string, ExportRequest>()

/** What an export of this tab was asked with. */
export function requestOf(id: string): ExportRequest | undefined {
  return asked.get(id)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits for an export that this tab asked for, whatever is on screen meanwhile. A small one is then given to the browser to save; of a large one, which
 * the bell tells of too, a message offers it.
 */
export async function followExport(started: ReportExport, request: ExportRequest): Promise<void> {
  asked.set(started.id, request)
  let told: ReportExport | undefined = started
  let failures = 0
  while (told && isUnderWay(told)) {
    await sleep(LOOK_AGAIN_MS)
    try {
      const list: readonly ReportExport[] = await queryClient.fetchQuery({
        ...reportExportsQuery,
        staleTime: 0,
        retry: false,
      })
      // Another user's by now, or gone.
      told = list.find(({ id }) => id === started.id)
      failures = 0
    } catch {
      failures += 1
      if (failures > MOST_FAILURES) return
    }
  }
  if (told?.state === 'done') await offer(told)
  if (told?.state === 'failed')
    showToast({ tone: 'error', text: `ส่งออกไม่สำเร็จ ${told.file_name} เปิด “ส่งออก” เพื่อลองใหม่` })
}

async function offer(made: ReportExport): Promise<void> {
  const save = () => void saveExport(made)
  if (!made.in_background) return saveExport(made)
  showToast({
    tone: 'done',
    text: `ไฟล์ ${made.file_name} พร้อมแล้ว ${countText(made.done)} โครงการ`,
    action: { label: 'ดาวน์โหลด', run: save },
  })
}

/** Fetches a file; a failure is told with a way to try again. */
export async function saveExport(made: Pick<ReportExport, 'id' | 'file_name'>): Promise<void> {
  try {
    await downloadExport(made.id)
  } catch (error) {
    showToast({
      tone: 'error',
      text: `ดาวน์โหลด ${made.file_name} ไม่สำเร็จ ${errorMessage(error)}`,
      action: { label: 'ลองใหม่', run: () => void saveExport(made) },
    })
  }
}
