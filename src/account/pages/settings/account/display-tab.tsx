import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { DISPLAY_DENSITIES, setDisplayDensity, useDisplayDensity } from '#src/lib/density.ts'
import { setSingleKeyShortcutsEnabled, useSingleKeyShortcutsEnabled } from '#src/shell/shortcuts/shortcut-setting.ts'
import { Switch } from '#src/ui/form/switch.tsx'
import { ThemePicker } from '#src/ui/theme/theme-picker.tsx'

export function DisplayTab() {
  const density = useDisplayDensity()
  const single = useSingleKeyShortcutsEnabled()
  return (
    <>
      <SettingsSection title="หน้าจอ" description="จำไว้ในเครื่องนี้">
        <div className="space-y-5">
          <div className="max-w-sm">
            <p className="mb-1 font-medium">ธีม</p>
            <ThemePicker />
          </div>
          <fieldset>
            <legend className="mb-1 font-medium">ความห่างของแถวในตาราง</legend>
            <div className="flex flex-wrap gap-x-6">
              {DISPLAY_DENSITIES.map(({ code, name }) => (
                <label key={code} className="flex min-h-8 items-center gap-2 touch:min-h-11">
                  <input
                    type="radio"
                    name="settings-density"
                    checked={density === code}
                    onChange={() => setDisplayDensity(code)}
                    className="size-4 accent-accent"
                  />
                  {name}
                </label>
              ))}
            </div>
          </fieldset>
        </div>
      </SettingsSection>
      <SettingsSection title="คีย์ลัด" description="จำไว้ในเครื่องนี้">
        <Switch label="ใช้คีย์ลัดแบบกดตัวเดียว" checked={single} onChange={setSingleKeyShortcutsEnabled}>
          เช่น J และ K เลื่อนดูโครงการ B ติดดาว L ติดป้าย ปิดได้ถ้ากดโดนโดยไม่ตั้งใจหรือสั่งงานด้วยเสียง ส่วน Space, Enter และ Esc ใช้ได้เสมอ
          กด ? ในหน้ารายงานเพื่อดูทั้งหมด
        </Switch>
      </SettingsSection>
    </>
  )
}
