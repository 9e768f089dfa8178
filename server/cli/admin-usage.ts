import { USER_ROLES } from '#contract/account/user.ts'
import { OPERATED_FLAG_COLUMNS, OPERATED_LIMIT_FIELDS } from '#server/operation/admin/admin-requests.ts'

export const ADMIN_USAGE = `usage: npm run admin -- COMMAND

  attention                              what needs a hand: sources, loads, jobs, mails, keywords, each counted
  metrics [PERIOD]                       what the servers answered, jobs and mails; PERIOD: hour (default), day, two-days
  organisations                          every organisation with its package, users, words and matches
  users [CODE]                           the users of one organisation, or of all
  mails                                  mails that failed, expired or wait, with the mail server's answer code
  resend-mail ID                         sends one that failed again, while its text is kept (7 days)
  jobs                                   jobs that were given up, wait or run
  restart-job ID                         lets one that was given up begin anew
  loads [NIGHT]                          the last 50 loads, what each brought and what of it could not be read; the feed's of
                                         one night as one line, or each of them: loads 2026-11-23
  bad-rows LOAD                          rows of a load that could not be read, with their reasons
  show CODE                              package, flags, limits and users of one organisation

  create-organisation CODE NAME [--package NAME]
  disable-organisation CODE              nobody of it can log in; open sessions end at once
  enable-organisation CODE
  set-package CODE PACKAGE
  set-flag CODE FLAG on|off              FLAG: ${Object.keys(OPERATED_FLAG_COLUMNS).join(', ')}
  set-limit CODE LIST NUMBER             LIST: ${Object.keys(OPERATED_LIMIT_FIELDS).join(', ')}
  set-budget-years CODE YEARS            Buddhist years with commas, or none

  set-window CODE START END              hours in which its watch lists are closed, Bangkok time, such as 01:00 09:00; or: CODE off
  rematch CODE                           matches every project against its watch lists anew, in the background

  retire-sample [--confirm] [--close-accounts]
                                         the sample leaves, before real data comes in; the demo keeps its own. Without --confirm: what would leave

  copy-documents                         files of DATA_DIR/documents into the bucket of DOCUMENTS_URL; each is read back, and what is missing is named

  facts                                  kinds of facts of documents: switch, checks by hand, how often unsure
  next-fact FACT                         a reading that nobody has checked; its document: DATA_DIR/documents by the hash
  check-fact FACT HASH right|wrong       what a person saw in the document
  set-fact FACT on|off                   whether its value is told; on wants 50 checks, 95 % of them right

  waiting                                keywords that wait for approval because they are too broad
  keyword-impact ID                      what it would bring into the report of its organisation
  approve-keyword ID
  reject-keyword ID                      deletes it
  blacklist [add|remove WORD]            words that nobody may watch

  create-user CODE EMAIL --first-name NAME --last-name NAME [--role ROLE]
                                         prints a generated password, once
  create-operator EMAIL --first-name NAME --last-name NAME
                                         somebody who looks after the product itself at /operation; prints a generated password, once
  disable-user EMAIL                     ends all sessions of the user
  enable-user EMAIL
  set-role EMAIL ROLE                    ROLE: ${USER_ROLES.map(({ code }) => code).join(', ')}
  set-max-labels EMAIL NUMBER
  remove-second-factor EMAIL             of somebody who has lost it; ends all sessions of the user
  set-email EMAIL NEW                    of somebody who has lost the mailbox; tells both addresses, ends all sessions of the user
  set-password EMAIL                     reads the new password (one line) and ends all sessions of the user

examples:
  npm run admin -- create-organisation siam-yotha "บริษัท สยามโยธา จำกัด"
  npm run admin -- create-user siam-yotha anong@siamyotha.example --first-name อนงค์ --last-name ใจดี --role super_user
  npm run admin -- set-flag siam-yotha company-compare off
  npm run admin -- set-limit siam-yotha include 100
  npm run admin -- set-window siam-yotha 01:00 09:00
  npm run admin -- blacklist add จำนวน
  npm run admin -- set-budget-years siam-yotha 2568,2569`
