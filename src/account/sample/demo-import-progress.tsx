import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readinessSchema } from '#contract/readiness.ts'
import { Button } from '#src/ui/button.tsx'

const POLL_INTERVAL_MS = 2_000

async function fetchReadiness() {
  const response = await fetch(new URL('/readyz', location.origin), { cache: 'no-store' })
  // The server is busy importing, so treat this as a failed poll; a later one will succeed.
  if (!response.ok) throw new Error(`readiness: ${response.status}`)
  return readinessSchema.parse(await response.json())
}

const readinessQuery = queryOptions({
  queryKey: ['sample-arrival'],
  queryFn: fetchReadiness,
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data === undefined || state.data.sample ? POLL_INTERVAL_MS : false),
})

/** Once the import is complete, the screen refreshes only when the user asks for it. */
export function DemoImportProgress() {
  const queryClient = useQueryClient()
  const [isClosed, setIsClosed] = useState(false)
  const { data } = useQuery(readinessQuery)
  if (isClosed || data === undefined) return null
  const { sample } = data
  const load = () => {
    setIsClosed(true)
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [key] }) => key !== readinessQuery.queryKey[0] })
  }
  return (
    <div role="status" className="border-b border-line bg-surface-muted px-4 py-1.5 text-center text-sm print:hidden">
      {sample?.stopped ? (
        <>
          ตัวอย่างมาไม่ครบ: {sample.done.toLocaleString('th-TH')} จาก {sample.total.toLocaleString('th-TH')} โครงการ
          เมื่อเปิดเซิร์ฟเวอร์ใหม่ระบบจะทำต่อ
        </>
      ) : sample ? (
        <>
          ตัวอย่างกำลังเข้ามา: {sample.done.toLocaleString('th-TH')} จาก {sample.total.toLocaleString('th-TH')} โครงการ
          โครงการใหม่และที่ยังเปิดอยู่มาครบแล้ว
        </>
      ) : (
        <>
          ตัวอย่างเข้ามาครบแล้ว{' '}
          <Button variant="quiet" size="sm" onClick={load}>
            แสดงทั้งหมด
          </Button>
        </>
      )}
    </div>
  )
}
