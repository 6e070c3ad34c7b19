import type { AuditEvent } from '@dmp/contract/auditEvents'
import type { Facts } from './toActor.ts'

/**
 * Stand in a sentence for who did it, the scan and the person that it was done to, which the screen draws: where they
 * belong depends on the language. They are characters that no text has.
 */
export const [who, scan, person] = ['\uE000', '\uE001', '\uE002']

export interface Phrase {
  /** Of several series only all images together are known; then `images` is undefined. */
  readonly text: string | ((facts: Facts, images: string | undefined) => string)
}

export function imagesText(facts: Facts): string | undefined {
  const count = Number(facts.get('instances') ?? Number.NaN)
  if (Number.isNaN(count) || facts.get('series')?.includes(',')) return undefined
  return count === 1 ? '1 image' : `${count} images`
}

/** Of events with scans. */
const aboutScans = {
  ScanViewed: { text: `${who} viewed ${scan}` },
  ScanDownloaded: {
    text: (facts) => (facts.has('resumedAtByte') ? `${who} went on downloading ${scan}` : `${who} downloaded ${scan}`),
  },
  ScanShared: {
    text: (facts) => {
      const recipient = facts.get('recipient')
      return recipient ? `${who} shared ${scan} with ${recipient}` : `${who} shared ${scan}`
    },
  },
  ShareUsed: { text: `${who} opened the share link of ${scan}` },
  ShareRevoked: { text: `${who} ended a share link of ${scan}` },
  ScansTransferred: {
    text: (facts) =>
      facts.get('anonymize') === 'true'
        ? `${who} sent ${scan} to another organization, without identity`
        : `${who} sent ${scan} to another organization`,
  },
  TransferStopped: { text: `${who} stopped the transfer of ${scan}` },
  ScansHeldBack: { text: `${who} held back ${scan} until somebody looks at its pictures` },
  HeldScansDecided: {
    text: (facts) =>
      facts.get('decision') === 'Send'
        ? `${who} looked at the pictures of ${scan} and sent it`
        : `${who} left ${scan} out of a transfer`,
  },
  ScansUploaded: {
    text: (_, images) => (images ? `${who} uploaded ${images} of ${scan}` : `${who} uploaded images of ${scan}`),
  },
  ScansDeleted: {
    text: (_, images) => (images ? `${who} deleted ${images} of ${scan}` : `${who} deleted images of ${scan}`),
  },
  ScansRestored: {
    text: (_, images) => (images ? `${who} took ${images} back of ${scan}` : `${who} took images back of ${scan}`),
  },
  ScansPurged: {
    text: (_, images) =>
      images ? `${who} deleted ${images} for good of ${scan}` : `${who} deleted images for good of ${scan}`,
  },
  ScansErased: {
    text: (_, images) =>
      images ? `${who} erased the bytes of ${images} of ${scan}` : `${who} erased the bytes of images of ${scan}`,
  },
  LegalHoldSet: { text: `${who} put under legal hold: ${scan}` },
  LegalHoldEnded: { text: `${who} ended the legal hold of ${scan}` },
  ScanConflictFound: { text: `${who} sent images that contradict ${scan}` },
  ScanConflictSettled: { text: `${who} settled a conflict of ${scan}` },
} satisfies Partial<Record<AuditEvent, Phrase>>

/** Of everything else that people do. */
const others = {
  SignedIn: { text: `${who} signed in` },
  SignInFailed: { text: `${who} could not sign in` },
  SignedOut: { text: `${who} signed out` },
  SessionEnded: { text: `${who} ended a session` },
  MfaFailed: { text: `${who} typed a wrong code` },
  TokenExchanged: { text: `${who} went on working` },
  PasswordChanged: { text: `${who} changed the password` },
  PasswordResetRequested: { text: `${who} asked for a new password` },
  PasswordReset: { text: `${who} set a new password` },
  PreferencesChanged: { text: `${who} changed settings` },
  ProfileChanged: { text: `${who} changed the profile` },
  UserViewed: { text: `${who} viewed ${person}` },
  UsersExported: { text: `${who} exported the list of people` },
  ScansExported: { text: `${who} exported a list of scans` },
  UserAdded: { text: `${who} added ${person}` },
  UserChanged: { text: `${who} changed ${person}` },
  UserActivated: { text: `${who} activated ${person}` },
  UserDeactivated: { text: `${who} deactivated ${person}` },
  TemporaryPasswordSent: { text: `${who} sent a temporary password to ${person}` },
  TermsSent: { text: `${who} sent the terms of use` },
  OrganizationRenamed: { text: `${who} renamed the organization` },
  OrganizationLogoChanged: { text: `${who} changed the logo of the organization` },
  OrganizationExported: { text: `${who} exported the organization` },
  OrganizationImported: { text: `${who} imported into the organization` },
  OrganizationExportDownloaded: { text: `${who} downloaded an export of the organization` },
  OrganizationLogoRemoved: { text: `${who} removed the logo of the organization` },
  LicensesAssigned: { text: `${who} assigned licenses` },
  RegistrationViewed: { text: `${who} viewed a registration` },
  RegistrationApproved: { text: `${who} approved a registration` },
  RegistrationRejected: { text: `${who} rejected a registration` },
  ComplaintViewed: { text: `${who} viewed a complaint` },
  ComplaintAdded: { text: `${who} filed a complaint` },
  ComplaintStatusChanged: { text: `${who} changed the status of a complaint` },
  ComplaintSeverityChanged: { text: `${who} changed the severity of a complaint` },
  ComplaintAssigned: { text: `${who} assigned a complaint` },
  ComplaintAnswered: { text: `${who} wrote about a complaint` },
  AlertRulesChanged: { text: `${who} changed the rules for alerts` },
  AccessAlertRaised: { text: `${who} told administrators of an alert` },
  AccessAlertAcknowledged: { text: `${who} looked into an alert` },
  AccessRefused: { text: `${who} was refused access` },
  AuditExported: { text: `${who} exported the audit` },
  AuditChecked: { text: `${who} checked the audit` },
  RefreshTokenReused: { text: `${who} had a session ended: a token of it was used twice` },
  PasswordResetFailed: { text: `${who} could not set a new password` },
  LockoutLifted: { text: `${who} let ${person} try to sign in again` },
  OrganizationAdded: { text: `${who} added an organization` },
  OrganizationActivated: { text: `${who} activated the organization` },
  OrganizationDeactivated: { text: `${who} deactivated the organization` },
  DatastoreCreated: { text: `${who} created the datastore of the organization` },
  RegistrationsExported: { text: `${who} exported the list of registrations` },
  RegistrationAdded: { text: `${who} asked to register` },
  ComplaintsExported: { text: `${who} exported the list of complaints` },
  ScansQueried: { text: `${who} searched for scans` },
  ApiTokenAdded: { text: `${who} created an API token` },
  ApiTokenEnded: { text: `${who} ended an API token` },
  DeviceApproved: { text: `${who} gave a machine an API token` },
  DeviceDenied: { text: `${who} refused a machine an API token` },
  WebhookAdded: { text: `${who} created a webhook` },
  WebhookChanged: { text: `${who} changed a webhook` },
  WebhookPaused: { text: `${who} paused a webhook` },
  WebhookResumed: { text: `${who} resumed a webhook` },
  WebhookSecretRenewed: { text: `${who} made a new secret for a webhook` },
  WebhookReplayed: { text: `${who} sent messages of a webhook once more` },
  WebhookTested: { text: `${who} tested a webhook` },
  WebhookDeleted: { text: `${who} deleted a webhook` },
  DicomPartnerAdded: { text: `${who} added a DICOM partner` },
  DicomPartnerChanged: { text: `${who} changed a DICOM partner` },
  DicomPartnerDisabled: { text: `${who} disabled a DICOM partner` },
  DicomPartnerEnabled: { text: `${who} enabled a DICOM partner` },
  DicomPartnerDeleted: { text: `${who} deleted a DICOM partner` },
  DicomCallerDismissed: { text: `${who} dismissed a refused DICOM caller` },
  StationAdded: { text: `${who} connected a station` },
  StationRemoved: { text: `${who} removed a station` },
  ApplicationErrorReported: { text: `${who} reported an error of the application` },
  AdministratorCreated: { text: `${who} created an administrator` },
  SetupTested: { text: `${who} tested the set-up` },
  SetupDismissed: { text: `${who} hid or showed the first steps` },
  StoreRepaired: { text: `${who} repaired the store` },
  AuditChainKeyed: { text: `${who} gave the audit a new key` },
  ReleasePublished: { text: `${who} published a release` },
  ReleaseSigned: { text: `${who} signed a release` },
  ReleaseMapsAdded: { text: `${who} added the source maps of a release` },
  ReleasePagesDrawn: { text: `${who} added drawn pages to a release` },
  ReleaseBudgetsSet: { text: `${who} changed the budgets of a part` },
  ReleaseNoticesSet: { text: `${who} changed who is told about a part` },
  ReleaseNoticesSwitched: { text: `${who} switched the webhook of a part on or off` },
  ReleaseActivated: { text: `${who} made a release live` },
  CanaryStarted: { text: `${who} gave a release to some people first` },
  ReleaseRolledBack: { text: `${who} took a release back` },
  ReleaseKept: { text: `${who} kept a release from being taken back by itself` },
  ReleaseNoLongerKept: { text: `${who} stopped keeping a release` },
  PartMadeGuest: { text: `${who} made a part a guest` },
  PartTrusted: { text: `${who} trusted a part with the page` },
  CanaryPromoted: { text: `${who} made a canary live for everyone` },
  CanaryStopped: { text: `${who} stopped a canary` },
  ReleasePreviewed: { text: `${who} offered a preview` },
  ReleasePreviewOpened: { text: `${who} opened a preview` },
  ReleasePreviewsEnded: { text: `${who} ended previews` },
  ReleaseOverridden: { text: `${who} used another release in a browser` },
  EncryptionKeyAdded: { text: `${who} added an encryption key` },
  EncryptionKeysRewrapped: { text: `${who} wrapped the encryption keys anew` },
  ScansEncrypted: { text: `${who} encrypted stored scans` },
} satisfies Record<Exclude<AuditEvent, keyof typeof aboutScans>, Phrase>

/** The phrase of each event that there is: an event without one does not compile. */
export const phrases: Readonly<Record<AuditEvent, Phrase>> = { ...aboutScans, ...others }
