import { Link, useRouter } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { takeLostFocus } from '#src/ui/focus-on-mount.ts'

export function CompanyNotFound({ name }: { name: string }) {
  const router = useRouter()
  const searchFor = (text: string) =>
    void router.navigate({
      to: '/companies',
      search: text === '' ? {} : { project_winner_name__in: [text] },
    })
  return (
    <div className="mx-auto flex w-full max-w-3xl items-start gap-4 px-4 pt-8 pb-10">
      <span className="mt-1 inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
        <SearchX aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <h1 ref={takeLostFocus} tabIndex={-1} className="text-2xl font-semibold outline-none max-md:text-xl">
          ไม่พบบริษัทนี้
        </h1>
        <p className="mt-1 text-ink-muted [overflow-wrap:anywhere]">
          ไม่มีบริษัทชื่อ “{name.slice(0, 120)}” ที่ชนะหรือยื่นเสนอราคาในข้อมูลที่ระบบมี ตรวจตัวสะกดอีกครั้ง หรือค้นด้วยบางส่วนของชื่อ
          บุคคลธรรมดาไม่มีหน้าข้อมูล
        </p>
        <CompanyPicker
          label="ค้นหาบริษัท"
          text={name.slice(0, 120)}
          onPick={(company) =>
            void router.navigate({
              to: '/companies/$name',
              params: { name: encodeNameForUrlPath(company.name) },
              search: buildCompanyTaxIdParam(company),
            })
          }
          onSearch={searchFor}
          className="mt-4"
        />
        <p className="mt-4">
          <Link to="/companies" className={getButtonClasses()}>
            ดูบริษัททั้งหมด
          </Link>
        </p>
      </div>
    </div>
  )
}
