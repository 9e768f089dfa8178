import { useState } from 'react'
import { KEYWORD_IMPACT_DAYS, type KeywordStats } from '#contract/matching/keyword-impact.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { Card } from '#src/ui/card.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { ConfirmDialog } from '#src/ui/overlay/confirm-dialog.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { trySetSearchModes } from './keyword-changes.ts'
import { useWatchLists } from './watch-list-tools.ts'

const SWITCHES = [
  { name: 'search_by_name', th: 'ค้นจากชื่อโครงการ' },
  { name: 'search_by_ai', th: 'ค้นจากคำใกล้เคียง (AI)' },
  { name: 'search_by_deptsub', th: 'ติดตามหน่วยงาน' },
] as const
type SwitchName = (typeof SWITCHES)[number]['name']

/** The last active mode cannot be switched off, because the report would be empty. */
export function SearchModeToggles({ stats }: { stats: KeywordStats['switches'] | undefined }) {
  const { organisation, isLocked } = useWatchLists()
  const { customer_config: config } = organisation
  const [leaving, setLeaving] = useState<SwitchName>()
  const leavingSwitch = SWITCHES.find(({ name }) => name === leaving)
  const only = leaving && stats?.[leaving].only
  const toggle = (name: SwitchName, on: boolean) => {
    if (on || isDemoSession()) return void trySetSearchModes({ [name]: on })
    const isLast = SWITCHES.every((other) => other.name === name || !config[other.name])
    if (isLast) {
      showToast({
        tone: 'error',
        key: 'last switch',
        text: 'ปิดทั้งสามแบบไม่ได้ เพราะจะไม่มีโครงการเข้ารายงานเลย เปิดแบบอื่นก่อน',
      })
      return
    }
    if (stats?.[name].only === 0) void trySetSearchModes({ [name]: false })
    else setLeaving(name)
  }
  const close = () => setLeaving(undefined)
  return (
    <>
      <div role="group" aria-label="วิธีค้นโครงการ" className="grid gap-3 sm:grid-cols-3">
        {SWITCHES.map(({ name, th }) => {
          const today = stats?.[name].today
          return (
            <Card key={name} className="px-4">
              <Switch checked={config[name]} onChange={(on) => toggle(name, on)} label={th} disabled={isLocked}>
                {today === undefined ? '\u00A0' : today === 0 ? 'วันนี้ยังไม่มีโครงการใหม่' : `+${formatCount(today)} วันนี้`}
              </Switch>
            </Card>
          )
        })}
      </div>
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={close}
        title={`ปิด${leavingSwitch?.th ?? ''}`}
        no="ไม่ปิด"
        yes="ปิดการค้นนี้"
        onYes={() => {
          if (leaving) void trySetSearchModes({ [leaving]: false })
          close()
        }}
      >
        {only === undefined ? (
          'โครงการที่พบด้วยวิธีนี้วิธีเดียวจะออกจากรายงาน'
        ) : (
          <>
            โครงการใน {KEYWORD_IMPACT_DAYS} วันที่ผ่านมา <b className="tabular-nums">{formatCount(only)} โครงการ</b>
            จะออกจากรายงาน เพราะพบด้วยวิธีนี้วิธีเดียว
          </>
        )}{' '}
        คำในรายการยังอยู่ และเปิดกลับได้ทุกเมื่อ
      </ConfirmDialog>
    </>
  )
}
