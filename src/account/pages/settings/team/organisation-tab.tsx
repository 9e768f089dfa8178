import type { ReactNode } from 'react'
import {
  type CustomerConfig,
  DEFAULT_MAX_BUDGET_BAHT,
  type Organisation,
  TRIAL_PACKAGE_NAME,
} from '#contract/account/organisation.ts'
import { getAccessibleBudgetYears } from '#contract/catalogue/fiscal-year.ts'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import { getProvincesInRegion, REGIONS } from '#contract/thai/province.ts'
import { formatFiscalYearSpan, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { LimitUsageBar, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { DocumentAnswerSettingsSection } from '#src/documents/document-answers/document-answer-consent-switch.tsx'
import { shortMoneyText, withBahtUnit } from '#src/lib/figure-text.ts'
import { Badge } from '#src/ui/badge.tsx'

const SHOWN_LISTS = ['include', 'exclude', 'ai_include', 'ai_exclude', 'deptsub_include'] as const

export function formatAccessPeriod(start: string | null, end: string | null): string {
  if (start && end) return `${formatThaiDateShortOrOriginal(start)} – ${formatThaiDateShortOrOriginal(end)}`
  if (start) return `ตั้งแต่ ${formatThaiDateShortOrOriginal(start)}`
  return end ? `ถึง ${formatThaiDateShortOrOriginal(end)}` : 'ทุกวัน'
}

const bahtText = (baht: number) => withBahtUnit(shortMoneyText(baht))

const bahtOf = (text: string) => {
  const baht = Number.parseInt(text, 10)
  return Number.isFinite(baht) && baht > 0 ? baht : 0
}

/** A maximum of 0 means no maximum (D8); the sliders then end at `ceiling`. */
export function formatBudgetRange(
  { min_project_budget, max_project_budget }: Pick<CustomerConfig, 'min_project_budget' | 'max_project_budget'>,
  ceiling: number,
): string {
  const min = bahtOf(min_project_budget)
  const max = bahtOf(max_project_budget)
  const from = min === 0 ? '' : `ตั้งแต่ ${bahtText(min)}`
  if (max > 0) return from === '' ? `ไม่เกิน ${bahtText(max)}` : `${from} ถึง ${bahtText(max)}`
  return `${from || 'ทุกวงเงิน'} ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง ${bahtText(ceiling)})`
}

/** Lists the open Buddhist fiscal years, newest first, as on the budget page (D14), with the dates of the newest. */
export function formatAccessibleFiscalYears(
  organisation: Pick<
    Organisation,
    'allow_access_budget_year' | 'is_access_budget_year' | 'is_access_budget_year_only'
  > & {
    readonly customer_config: Pick<Organisation['customer_config'], 'start_date_budgetyear' | 'end_date_budgetyear'>
  },
): string {
  if (!organisation.is_access_budget_year && !organisation.is_access_budget_year_only) return 'ไม่อยู่ในแพ็กเกจ'
  const { start_date_budgetyear: start, end_date_budgetyear: end } = organisation.customer_config
  const years = getAccessibleBudgetYears(organisation.allow_access_budget_year, { start, end })
  const [newest] = years
  if (newest === undefined) return 'ยังไม่มีปีในแพ็กเกจ'
  return `${years.join(', ')} (ปีงบประมาณ ${newest} คือ ${formatFiscalYearSpan(newest)})`
}

function featureFacts(organisation: Organisation): readonly { readonly name: string; readonly isOn: boolean }[] {
  const only = organisation.is_access_budget_year_only
  return [
    { name: 'รายงานโครงการและคำติดตาม', isOn: !only },
    { name: 'งบประมาณประจำปี', isOn: only || organisation.is_access_budget_year },
    { name: 'ข้อมูลบริษัท', isOn: !only && organisation.is_company_compare },
    { name: 'เปรียบเทียบบริษัท', isOn: !only && organisation.is_access_company_comparison },
    { name: 'ค้นด้วย AI', isOn: !only && organisation.customer_config.search_by_ai },
    { name: 'ค้นจากชื่อโครงการ', isOn: !only && organisation.customer_config.search_by_name },
    { name: 'ค้นจากหน่วยงาน', isOn: !only && organisation.customer_config.search_by_deptsub },
  ]
}

export function OrganisationTab() {
  const organisation = useOrganisation()
  const { role } = useUser()
  const { customer_config: config } = organisation
  const isBudgetOnly = organisation.is_access_budget_year_only
  return (
    <>
      <SettingsSection title="องค์กร" description="ต้องการเปลี่ยนแพ็กเกจหรือขอบเขต ติดต่อทีมงาน">
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[14rem_1fr]">
          <Fact name="ชื่อองค์กร">{organisation.name}</Fact>
          <Fact name="แพ็กเกจ">
            <span className="mr-2">{organisation.customer_use_package}</span>
            {organisation.customer_use_package === TRIAL_PACKAGE_NAME && <Badge tone="updated">ช่วงทดลองใช้งาน</Badge>}
            {organisation.customer_use_package === TRIAL_PACKAGE_NAME && (
              <span className="block text-sm text-ink-muted">ใช้ได้ทุกส่วนไม่จำกัดตลอดช่วงทดลอง</span>
            )}
          </Fact>
          {!isBudgetOnly && (
            <>
              <Fact name="ช่วงวันที่ของรายงาน">
                {formatAccessPeriod(config.start_date_report ?? config.report_start_date, config.end_date_report)}
              </Fact>
              <Fact name="งบประมาณโครงการ">{formatBudgetRange(config, DEFAULT_MAX_BUDGET_BAHT)}</Fact>
              <Fact name="ปรับปรุงข้อมูลทุกคืน">
                {config.not_allow_start_time === config.not_allow_end_time
                  ? 'ไม่มีช่วงที่แก้คำติดตามไม่ได้'
                  : `${config.not_allow_start_time.slice(0, 5)}–${config.not_allow_end_time.slice(0, 5)} น. ระหว่างนี้แก้คำติดตามไม่ได้ แต่ดูรายงานได้ตามปกติ`}
              </Fact>
            </>
          )}
          <Fact name="ปีงบประมาณที่ดูได้">{formatAccessibleFiscalYears(organisation)}</Fact>
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
              {SHOWN_LISTS.map((list) => {
                const { th, limit } = KEYWORD_LIST_RULES[list]
                return (
                  <LimitUsageBar
                    key={list}
                    label={th}
                    used={organisation[list].length}
                    limit={config[limit]}
                    unit="คำ"
                  />
                )
              })}
            </div>
          </SettingsSection>
          <Areas areas={organisation.areasWithProvinces} />
          {role === 'super_user' && (
            <SettingsSection title="ถามเอกสาร">
              <DocumentAnswerSettingsSection />
            </SettingsSection>
          )}
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

function Areas({ areas }: { areas: Organisation['areasWithProvinces'] }) {
  const total = Object.values(areas).reduce((sum, provinces) => sum + provinces.length, 0)
  return (
    <SettingsSection title="พื้นที่" description={`${formatCount(total)} จังหวัด`}>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[14rem_1fr]">
        {REGIONS.map(({ code, th }) => {
          const picked = areas[code] ?? []
          const isWhole = picked.length === getProvincesInRegion(code).length
          return (
            <Fact key={code} name={th}>
              {picked.length === 0 ? (
                <span className="text-ink-faint">ไม่อยู่ในแพ็กเกจ</span>
              ) : isWhole ? (
                <>
                  ทุกจังหวัด <span className="text-sm text-ink-muted">({formatCount(picked.length)})</span>
                </>
              ) : (
                picked.join(', ')
              )}
            </Fact>
          )
        })}
      </dl>
    </SettingsSection>
  )
}
