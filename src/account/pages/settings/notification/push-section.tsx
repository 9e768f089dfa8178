import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing, MonitorSmartphone, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { MAX_PUSH_DEVICES, type PushDevice, type PushNotificationState } from '#contract/channels/push.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import {
  notificationChannelsQuery,
  pushStateQuery,
  removePushDevice,
  sendTestPush,
} from '#src/channels/api/channels.ts'
import {
  type BrowserPushState,
  detectBrowserPushState,
  disablePush,
  enablePush,
} from '#src/channels/push-device/browser-push-state.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { combineQueries } from '#src/ui/combine-queries.ts'
import { ItemRow } from '#src/ui/item-row.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { NotificationChannelPreferencesForm } from './notification-channel-preferences-form.tsx'

export function PushSection() {
  const channels = useQuery(useOptimisticQueryOptions(notificationChannelsQuery))
  const push = useQuery(pushStateQuery)
  const setting = channels.data?.channels.find(({ channel }) => channel === 'push')
  if (channels.data && !setting) return null
  return (
    <SettingsSection
      title="แจ้งบนเครื่อง"
      description="ขึ้นบนหน้าจอของคอมพิวเตอร์หรือโทรศัพท์ แม้ไม่ได้เปิดตามงานอยู่ กดแล้วเปิดโครงการนั้น หรือติดดาวและซ่อนได้จากข้อความ"
    >
      <QueryView query={combineQueries({ channels, push })} task="โหลดการแจ้งบนเครื่อง" bars={['h-11']}>
        {(data) => (
          <div className="space-y-5">
            <ThisBrowser push={data.push} />
            {data.push.devices.length > 0 && (
              <>
                <DeviceList push={data.push} />
                {setting && <NotificationChannelPreferencesForm setting={setting} />}
              </>
            )}
          </div>
        )}
      </QueryView>
    </SettingsSection>
  )
}

const BROWSER_STATE_KEY = [...pushStateQuery.queryKey, 'browser']

function useBrowserState({ devices }: PushNotificationState) {
  const ids = devices.map(({ id, refused }) => `${id} ${refused?.at ?? ''}`)
  return useQuery({
    queryKey: [...BROWSER_STATE_KEY, ids],
    queryFn: () => detectBrowserPushState(devices),
    staleTime: 0,
    networkMode: 'always',
  })
}

const OBSTACLE_TEXTS: Readonly<Record<Exclude<BrowserPushState['kind'], 'on' | 'off'>, ReactNode>> = {
  install: (
    <>
      บน iPhone และ iPad ต้องติดตั้งตามงานก่อน: กดปุ่มแชร์ของ Safari เลือก <b>เพิ่มไปยังหน้าจอโฮม</b>{' '}
      แล้วเปิดตามงานจากไอคอนนั้นและกลับมาที่หน้านี้ (iOS 16.4 ขึ้นไป)
    </>
  ),
  insecure: 'ต้องเปิดตามงานด้วยที่อยู่ที่ขึ้นต้นด้วย https:// จึงจะแจ้งบนเครื่องได้ ถามผู้ดูแลระบบ',
  unsupported: 'เบราว์เซอร์นี้รับการแจ้งเตือนไม่ได้ หรือเปิดในหน้าต่างส่วนตัวอยู่ ใช้ Chrome, Edge, Firefox หรือ Safari รุ่นปัจจุบัน',
  denied: (
    <>
      เบราว์เซอร์นี้ถูกตั้งไม่ให้ตามงานแจ้งเตือน กดไอคอนหน้าที่อยู่เว็บ เลือก <b>การแจ้งเตือน</b> แล้วเปลี่ยนเป็น <b>อนุญาต</b>{' '}
      บนโทรศัพท์อยู่ในการตั้งค่าแอปของเบราว์เซอร์
    </>
  ),
}

function ThisBrowser({ push }: { push: PushNotificationState }) {
  const { data: state, refetch } = useBrowserState(push)
  const client = useQueryClient()
  const {
    mutate: toggle,
    data: result,
    error,
    isPending,
  } = useMutation({
    mutationFn: async (enabledId: string | undefined) =>
      enabledId === undefined ? enablePush(push.public_key) : disablePush(enabledId),
    onSettled: () => client.invalidateQueries({ queryKey: BROWSER_STATE_KEY }),
  })
  const failure =
    result === 'asked' ? 'ยังไม่ได้กด อนุญาต ในกล่องของเบราว์เซอร์ กดอีกครั้งเพื่อถามใหม่' : error ? failureText(error) : undefined
  const turnOn = () => toggle(undefined)
  if (!state) return <Skeleton className="h-11" />
  return (
    <div className="space-y-3">
      {state.kind === 'on' ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="flex min-w-0 flex-1 basis-56 items-center gap-2 font-medium">
            <BellRing aria-hidden className="size-5 shrink-0 text-accent-ink" />
            {state.refusal === undefined ? 'เครื่องนี้รับการแจ้งเตือนอยู่' : 'เครื่องนี้เปิดไว้ แต่ยังรับการแจ้งเตือนไม่ได้'}
          </p>
          <SampleButton id={state.id} />
          <Button pending={isPending} onClick={() => toggle(state.id)}>
            หยุดแจ้งบนเครื่องนี้
          </Button>
        </div>
      ) : state.kind === 'off' ? (
        <>
          <Button icon={BellRing} variant="primary" pending={isPending} onClick={turnOn}>
            แจ้งบนเครื่องนี้
          </Button>
          <p className="text-sm text-ink-muted">
            เบราว์เซอร์จะถามว่าให้ตามงานแจ้งเตือนได้ไหม ออกจากระบบบนเครื่องนี้เมื่อไร การแจ้งหยุดด้วย
          </p>
        </>
      ) : (
        <Notice warns={state.kind === 'denied'}>
          {OBSTACLE_TEXTS[state.kind]}
          {state.kind === 'denied' && (
            <Button size="sm" variant="link" onClick={() => void refetch()}>
              ตรวจอีกครั้ง
            </Button>
          )}
        </Notice>
      )}
      {state.kind === 'on' && state.refusal !== undefined && (
        <Notice warns>
          {state.refusal}
          <Button size="sm" variant="link" pending={isPending} onClick={turnOn}>
            เปิดใหม่บนเครื่องนี้
          </Button>
        </Notice>
      )}
      <div role="status">{failure !== undefined && <Notice warns>{failure}</Notice>}</div>
    </div>
  )
}

/** Translates a browser error to Thai by its name, because browsers report only a name and an English message. */
function failureText(error: unknown): string {
  if (error instanceof DOMException)
    return `เบราว์เซอร์ติดต่อบริการแจ้งเตือนของตัวเองไม่ได้ (${error.name}) ตรวจอินเทอร์เน็ตแล้วลองใหม่ เครือข่ายบางบริษัทปิดบริการนี้`
  if (error instanceof Error && error.message === 'no worker') return 'ส่วนที่รับการแจ้งเตือนยังไม่พร้อม โหลดหน้านี้ใหม่แล้วลองอีกครั้ง'
  return `เปลี่ยนการแจ้งบนเครื่องนี้ไม่สำเร็จ ${formatErrorMessage(error)}`
}

function SampleButton({ id, name }: { id: string; name?: string }) {
  const send = async () => {
    const { result, text } = await sendTestPush(id)
    showToast({ text, tone: result === 'sent' ? 'done' : 'error' })
  }
  return (
    <ActionButton
      icon={Send}
      size={name === undefined ? 'md' : 'sm'}
      aria-label={name === undefined ? undefined : `ส่งตัวอย่างไปที่ ${name}`}
      run={send}
      failed="ส่งตัวอย่างไม่สำเร็จ"
    >
      ส่งตัวอย่าง
    </ActionButton>
  )
}

function DeviceList({ push }: { push: PushNotificationState }) {
  const { data: state } = useBrowserState(push)
  const ownDeviceId = state?.kind === 'on' ? state.id : undefined
  return (
    <div>
      <h3 className="font-medium">เครื่องที่รับการแจ้งเตือน</h3>
      <ul className="divide-y divide-line">
        {push.devices.map((device) => (
          <DeviceRow key={device.id} device={device} isThisDevice={device.id === ownDeviceId} />
        ))}
      </ul>
      <p className="text-sm text-ink-muted">ได้ไม่เกิน {MAX_PUSH_DEVICES} เครื่อง เครื่องที่ออกจากระบบแล้วหายไปเอง</p>
    </div>
  )
}

function DeviceRow({ device, isThisDevice }: { device: PushDevice; isThisDevice: boolean }) {
  const { id, name, created_at, told_at, refused } = device
  const title = (
    <>
      {name}
      {isThisDevice && <Badge tone="accent">เครื่องนี้</Badge>}
      {refused && <Badge tone="urgent">รับไม่ได้</Badge>}
    </>
  )
  const details = (
    <>
      {told_at === null
        ? `เปิดเมื่อ ${formatThaiDateTime(created_at)} ยังไม่เคยแจ้ง`
        : `แจ้งล่าสุด ${formatThaiDateTime(told_at)}`}
      {refused && (
        <p className="text-urgent">
          {refused.text} ({formatThaiDateTime(refused.at)})
        </p>
      )}
    </>
  )
  return (
    <li className="py-2">
      <ItemRow icon={MonitorSmartphone} title={title} details={details}>
        {!isThisDevice && (
          <>
            <SampleButton id={id} name={name} />
            <ActionButton
              size="sm"
              variant="quiet"
              aria-label={`เอา ${name} ออก`}
              run={() => removePushDevice(id)}
              failed={`เอา ${name} ออกไม่สำเร็จ`}
              done={`หยุดแจ้งบน ${name} แล้ว`}
            >
              เอาออก
            </ActionButton>
          </>
        )}
      </ItemRow>
    </li>
  )
}
