export class FakeUpload {
  static made: FakeUpload[] = []
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  status = 0
  statusText = ''
  responseType = ''
  response: unknown
  address = ''
  isAborted = false
  constructor() {
    FakeUpload.made.push(this)
  }
  open(_method: string, address: URL) {
    this.address = String(address)
  }
  setRequestHeader() {}
  getResponseHeader() {
    return null
  }
  send() {}
  abort() {
    this.isAborted = true
    this.onabort?.()
  }
  answer(status: number, body: object) {
    this.status = status
    this.response = body
    this.onload?.()
  }
  breakOff() {
    this.onerror?.()
  }
}
