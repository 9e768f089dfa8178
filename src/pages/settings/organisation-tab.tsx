import type { ReactNode } from 'react'
import { DEFAULT_MAX_BUDGET, type Organisation, TRIAL_PACKAGE } from '#contract/organisation.ts'
import { provincesOf, REGIONS } from '#contract/province.ts'
import { useOrganisation } from '#src/api/organisations.ts'
import { countText } from '#src/lib/money-text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { budgetText, featureFacts, KEYWORD_LIMITS, windowText, yearsText } from './organisation-facts.ts'
import { SettingsSection } from './settings-section.tsx'
import { UsageBar } from './usage-bar.tsx'

/** What the organisation's package holds; only the provider changes it. */
export function OrganisationTab() {
  const organisation = useOrganisation()
  const { customer_config: config } = organisation
  const isBudgetOnly = organisation.is_access_budget_year_only
  return (
    <>
      <SettingsSection title="องค์กร" description="ต้องการเปลี่ยนแพ็กเกจหรือขอบเขต ติดต่อทีมงาน">
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[14rem_1fr]">
          <Fact name="ชื่อองค์กร">{organisation.name}</Fact>
          <Fact name="แพ็กเกจ">
            <span className="mr-2">{organisation.customer_use_package}</span>
            {organisation.customer_use_package === TRIAL_PACKAGE && <Badge tone="updated">ช่วงทดลองใช้งาน</Badge>}
            {organisation.customer_use_package === TRIAL_PACKAGE && (
              <span className="block text-sm text-ink-muted">ใช้ได้ทุกส่วนไม่จำกัดตลอดช่วงทดลอง</span>
            )}
          </Fact>
          {!isBudgetOnly && (
            <>
              <Fact name="ช่วงวันที่ของรายงาน">
                {windowText(config.start_date_report ?? config.report_start_date, config.end_date_report)}
              </Fact>
              <Fact name="งบประมาณโครงการ">{budgetText(config, DEFAULT_MAX_BUDGET)}</Fact>
              <Fact name="ปรับปรุงข้อมูลทุกคืน">
                {config.not_allow_start_time === config.not_allow_end_time
                  ? 'ไม่มีช่วงที่แก้คำติดตามไม่ได้'
                  : `${config.not_allow_start_time.slice(0, 5)}–${config.not_allow_end_time.slice(0, 5)} น. ระหว่างนี้แก้คำติดตามไม่ได้ แต่ดูรายงานได้ตามปกติ`}
              </Fact>
            </>
          )}
          <Fact name="ปีงบประมาณที่ดูได้">{yearsText(organisation)}</Fact>
        </dl>
      </SettingsSection>
      <SettingsSection title="ส่วนที่ใช้ได้">
        <ul className="space-y-2">
          {featureFacts(organisation).map(({ name, isOn }) => (
            <li key={name} className="flex items-center justify-between gap-3">
              <span>{name}</span>
              <Badge tone={isOn ? 'accent' : 'neutral'}>{isOn ? 'ใช้ได้' : 'ไม่อยู่ในแพ็กเกจ'}</Badge>
            </li>
          ))}
        </ul>
      </SettingsSection>
      {!isBudgetOnly && (
        <>
          <SettingsSection title="คำติดตาม" description="จำนวนคำที่ใช้ในแต่ละรายการ">
            <div className="space-y-4">
              {KEYWORD_LIMITS.map(({ list, name, limit }) => {
                const used = organisation[list].length
                const most = config[limit]
                return (
                  <UsageBar
                    key={list}
                    label={name}
                    used={used}
                    limit={most}
                    text={`${countText(used)} จาก ${countText(most)} คำ`}
                  />
                )
              })}
            </div>
          </SettingsSection>
          <Areas areas={organisation.areasWithProvinces} />
        </>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted max-sm:-mb-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

/** The provinces of the package by the six regions. */
function Areas({ areas }: { areas: Organisation['areasWithProvinces'] }) {
  const total = Object.values(areas).reduce((sum, provinces) => sum + provinces.length, 0)
  return (
    <SettingsSection title="พื้นที่" description={`${countText(total)} จังหวัด`}>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[14rem_1fr]">
        {REGIONS.map(({ code, th }) => {
          const held = areas[code] ?? []
          const isWhole = held.length === provincesOf(code).length
          return (
            <Fact key={code} name={th}>
              {held.length === 0 ? (
                <span className="text-ink-faint">ไม่อยู่ในแพ็กเกจ</span>
              ) : isWhole ? (
                <>
                  ทุกจังหวัด <span className="text-sm text-ink-muted">({countText(held.length)})</span>
                </>
              ) : (
                held.join(', ')
              )}
            </Fact>
          )
        })}
      </dl>
    </SettingsSection>
  )
}
