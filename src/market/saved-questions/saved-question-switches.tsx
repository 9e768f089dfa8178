import type { SavedQuestions } from '#contract/market/saved-question.ts'
import { patchSavedQuestions } from '#src/market/api/questions.ts'
import { Switch } from '#src/ui/form/switch.tsx'

type QuestionSwitchesProps = { settings: Pick<SavedQuestions, 'bell' | 'mail'> }

export function SavedQuestionSwitches({ settings: { bell, mail } }: QuestionSwitchesProps) {
  const failed = (on: boolean) => ({ failed: `${on ? 'เปิด' : 'ปิด'}การแจ้งคำถามที่บันทึกไม่สำเร็จ` })
  return (
    <div>
      <Switch
        label="แจ้งคำถามที่บันทึกที่กระดิ่ง"
        checked={bell}
        onChange={(on) => void patchSavedQuestions({ bell: on }, failed(on))}
      >
        บอกรวมเป็นรายการเดียวต่อการนำเข้าข้อมูลแต่ละรอบ
      </Switch>
      <Switch
        label="ส่งคำถามที่บันทึกทางอีเมล"
        checked={mail}
        onChange={(on) => void patchSavedQuestions({ mail: on }, failed(on))}
      >
        ส่งตอน 08:30 น. รวมทุกคำถามไม่เกินวันละฉบับ
      </Switch>
    </div>
  )
}
