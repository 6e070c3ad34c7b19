import { appsSettings } from './apps.ts'
import { auditSettings } from './audit.ts'
import { changesSettings } from './changes.ts'
import { companySettings } from './company.ts'
import { databaseSettings } from './database.ts'
import { dicomSettings } from './dicom.ts'
import { encryptionSettings } from './encryption.ts'
import { mailSettings } from './mail.ts'
import { objectsSettings } from './objects.ts'
import { passwordsSettings } from './passwords.ts'
import { releasesSettings } from './releases.ts'
import { securitySettings } from './security.ts'
import { serverSettings } from './server.ts'
import { sessionsSettings } from './sessions.ts'

/** Every setting, in the order of docs/operations.md, which is made from it. A new one is a line in its topic. */
export const settingsTable = {
  ...serverSettings,
  ...databaseSettings,
  ...objectsSettings,
  ...changesSettings,
  ...dicomSettings,
  ...encryptionSettings,
  ...mailSettings,
  ...sessionsSettings,
  ...passwordsSettings,
  ...auditSettings,
  ...releasesSettings,
  ...securitySettings,
  ...companySettings,
  ...appsSettings,
} as const
