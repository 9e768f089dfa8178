import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy, Plus } from 'lucide-react'
import {
  LOGIN_PROVIDER_NAMES,
  type LoginDomain,
  type LoginDomainPatch,
  type LoginDomains,
  newLoginDomainSchema,
} from '#contract/account/organisation-login.ts'
import {
  addLoginDomain,
  loginDomainsQuery,
  patchLoginDomain,
  removeLoginDomain,
  unlinkMemberLogin,
  verifyLoginDomain,
} from '#src/account/api/login-domains.ts'
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { SettingsList, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { showDoneToast, toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'

export function LoginDomainsSection() {
  const loginDomains = useQuery(loginDomainsQuery)
  return (
    <QueryView query={loginDomains} task="โหลดการตั้งค่าบัญชีองค์กร" barsClassName="space-y-3" bars={['h-24']}>
      {(data) => (data.providers.length === 0 && data.domains.length === 0 ? null : <Domains data={data} />)}
    </QueryView>
  )
}

function Domains({ data: { providers, domains, identities } }: { data: LoginDomains }) {
  return (
    <>
      <SettingsSection
        title="เข้าสู่ระบบด้วยบัญชีองค์กร"
        description="สมาชิกใช้บัญชี Google Workspace หรือ Microsoft 365 ที่บริษัทออกให้แทนรหัสผ่าน คนที่จะเข้าทีมยังต้องได้รับเชิญก่อน"
      >
        <div className="space-y-5">
          {domains.map((domain) => (
            <DomainCard key={domain.id} domain={domain} />
          ))}
          {providers.length > 0 && <AddForm providers={providers} />}
        </div>
      </SettingsSection>
      {identities.length > 0 && (
        <SettingsList
          title="บัญชีองค์กรที่ผูกแล้ว"
          description="แต่ละคนเข้าได้ด้วยบัญชีเดิมที่ใช้ครั้งแรกเท่านั้น ถ้าบริษัทสร้างบัญชีใหม่ให้ใคร ล้างของคนนั้นก่อน"
          rows={identities}
          getKey={({ user_id, provider }) => `${user_id} ${provider}`}
        >
          {(identity) => <IdentityRow identity={identity} />}
        </SettingsList>
      )}
    </>
  )
}

function DomainCard({ domain: loginDomain }: { domain: LoginDomain }) {
  const { id, domain, provider, verified_at, rule, asks_own_factor } = loginDomain
  const change = useMutation({
    mutationFn: (patch: LoginDomainPatch) => patchLoginDomain(id, patch),
    ...toastMutationResult('แก้ไม่สำเร็จ', ({ rule, asks_own_factor: asks }: LoginDomainPatch) => {
      if (rule === 'must') return 'สมาชิกต้องเข้าด้วยบัญชีองค์กรตั้งแต่ครั้งต่อไป'
      if (rule === 'may') return 'สมาชิกเข้าด้วยบัญชีองค์กรหรือรหัสผ่านก็ได้'
      return asks ? 'ถามการยืนยันสองขั้นของตามงานต่อจากบัญชีองค์กร' : 'ใช้การยืนยันสองขั้นของบัญชีองค์กรแทน'
    }),
  })
  return (
    <div role="group" aria-label={domain} className="rounded-control border border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 font-medium wrap-anywhere max-sm:basis-full">{domain}</p>
        <Badge>{LOGIN_PROVIDER_NAMES[provider]}</Badge>
        <Badge tone={verified_at === null ? 'updated' : 'accent'}>
          {verified_at === null ? 'รอยืนยันโดเมน' : 'เชื่อมแล้ว'}
        </Badge>
      </div>
      {verified_at === null ? (
        <DomainProof domain={loginDomain} />
      ) : (
        <div className="mt-1">
          <Switch
            label="บังคับใช้บัญชีองค์กร"
            checked={rule === 'must'}
            disabled={change.isPending}
            onChange={(isOn) => change.mutate({ rule: isOn ? 'must' : 'may' })}
          >
            สมาชิกที่ใช้อีเมลโดเมนนี้เข้าด้วยรหัสผ่านหรือพาสคีย์ไม่ได้ Super User ยังใช้รหัสผ่านได้ เผื่อวันที่ผู้ให้บริการล่ม
          </Switch>
          <Switch
            label="ถามการยืนยันสองขั้นของตามงานด้วย"
            checked={asks_own_factor}
            disabled={change.isPending}
            onChange={(isOn) => change.mutate({ asks_own_factor: isOn })}
          >
            ถ้าปิด การยืนยันสองขั้นที่บริษัทตั้งไว้กับ {LOGIN_PROVIDER_NAMES[provider]} นับแทนของตามงาน
          </Switch>
        </div>
      )}
      <ConfirmedAction
        label={`ยกเลิกโดเมน ${domain}`}
        question={
          verified_at === null ? 'ลบโดเมนนี้ออกจากรายการ' : 'สมาชิกต้องเข้าด้วยรหัสผ่านหรือพาสคีย์ คนที่ยังไม่มีรหัสผ่านตั้งได้ที่ “ลืมรหัสผ่าน”'
        }
        no="ไม่ยกเลิก"
        yes="ยกเลิกโดเมน"
        className="mt-2"
        run={() => removeLoginDomain(id)}
        failed="แก้ไม่สำเร็จ"
        done={`ยกเลิกโดเมน ${domain} แล้ว`}
      >
        {(ask) => (
          <div className="mt-2 text-right">
            <Button size="sm" variant="quiet" of={domain} onClick={ask}>
              ยกเลิกโดเมน
            </Button>
          </div>
        )}
      </ConfirmedAction>
    </div>
  )
}

function DomainProof({ domain: { id, domain, record, checked_at } }: { domain: LoginDomain }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => verifyLoginDomain(id),
    onSuccess: () => showDoneToast(`เชื่อม ${domain} แล้ว`),
  })
  return (
    <div className="mt-2 space-y-3">
      <p className="text-sm text-ink-muted">ให้ผู้ดูแลโดเมนของบริษัทเพิ่มระเบียน TXT นี้ แล้วกดตรวจ เพื่อแสดงว่าโดเมนเป็นของบริษัทจริง</p>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[5rem_1fr]">
        <CopyableFact name="ชื่อ" value={record.name} />
        <CopyableFact name="ค่า" value={record.value} />
      </dl>
      <FormSubmitError refusal={error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button pending={isPending} onClick={() => mutate()}>
          ตรวจระเบียน
        </Button>
        {checked_at !== null && (
          <span className="text-sm text-ink-faint">ตรวจล่าสุด {formatThaiDateTime(checked_at)}</span>
        )}
      </div>
    </div>
  )
}

function CopyableFact({ name, value }: { name: string; value: string }) {
  const copy = () => void copyWithToast(value, `คัดลอก${name}แล้ว`, 'คัดลอกไม่ได้ เลือกข้อความแล้วคัดลอกเอง')
  return (
    <>
      <dt className="self-center text-ink-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 wrap-anywhere">{value}</code>
        <IconButton icon={Copy} label={`คัดลอก${name}`} onClick={copy} />
      </dd>
    </>
  )
}

function AddForm({ providers }: { providers: LoginDomains['providers'] }) {
  const form = useSchemaForm(
    { schema: newLoginDomainSchema, fields: ['domain'], defaultValues: { domain: '', provider: providers[0]! } },
    async (values) => {
      await addLoginDomain(values)
      form.reset()
    },
  )
  return (
    <SettingsForm form={form}>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="โดเมนของบริษัท"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          placeholder="company.co.th"
          className="min-w-0 flex-1 basis-56"
          {...form.field('domain')}
        />
        <ListboxField
          label="ผู้ให้บริการ"
          options={providers.map((value) => ({ value, th: LOGIN_PROVIDER_NAMES[value] }))}
          {...form.choice('provider')}
        />
        <Button type="submit" icon={Plus} pending={form.isSubmitting} className="sm:mt-6.5 max-sm:w-full">
          เพิ่มโดเมน
        </Button>
      </div>
    </SettingsForm>
  )
}

function IdentityRow({ identity }: { identity: LoginDomains['identities'][number] }) {
  const { user_id, name, email, provider, used_at } = identity
  const displayName = name ?? email
  const lastUse = `ใช้ล่าสุด ${formatThaiDateTime(used_at)}`
  return (
    <ItemRow title={displayName} details={joinParts(name !== null && email, LOGIN_PROVIDER_NAMES[provider], lastUse)}>
      <ActionButton
        size="sm"
        aria-label={`ล้างการผูกของ ${displayName}`}
        run={() => unlinkMemberLogin(user_id)}
        failed="ล้างไม่สำเร็จ"
        done={`ล้างการผูกของ ${displayName} แล้ว`}
      >
        ล้างการผูก
      </ActionButton>
    </ItemRow>
  )
}
