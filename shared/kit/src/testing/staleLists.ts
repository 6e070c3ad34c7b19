import * as account from '@dmp/contract/account'
import * as apiToken from '@dmp/contract/apiToken'
import * as audit from '@dmp/contract/audit'
import * as businessUser from '@dmp/contract/businessUser'
import * as complaint from '@dmp/contract/complaint'
import type { Endpoint } from '@dmp/contract/endpoint'
import * as station from '@dmp/contract/station'
import * as dicomPartner from '@dmp/contract/dicomPartner'
import * as inbox from '@dmp/contract/inbox'
import * as organization from '@dmp/contract/organization'
import * as registration from '@dmp/contract/registration'
import * as release from '@dmp/contract/releaseCalls'
import * as scan from '@dmp/contract/scan'
import * as webhook from '@dmp/contract/webhook'
import { queryClient } from '../transport/queryClient.ts'

/** The reads whose answers each change makes old, besides the one that it `renews`. All other changes show nowhere. */
export const shownIn: readonly (readonly [Endpoint, readonly Endpoint[]])[] = [
  [account.changePassword, [account.listSessions]],
  [account.updatePreferences, [account.profile]],
  [apiToken.add, [apiToken.list]],
  [apiToken.approveDevice, [apiToken.list]],
  [apiToken.end, [apiToken.list]],
  [audit.acknowledgeAlert, [audit.listAlerts]],
  [audit.check, [audit.getLastCheck]],
  [businessUser.activateUser, [businessUser.list]],
  [businessUser.add, [businessUser.list, organization.getReadiness, organization.getSetup]],
  [businessUser.deactivateUser, [businessUser.list]],
  [businessUser.update, [businessUser.list]],
  [businessUser.updateProfile, [businessUser.list, businessUser.get]],
  [complaint.add, [complaint.list]],
  [complaint.addMessage, []],
  [complaint.assign, [complaint.list]],
  [complaint.updateSeverity, [complaint.list]],
  [complaint.updateStatus, [complaint.list]],
  [inbox.choose, [inbox.count, inbox.list]],
  [inbox.markAllRead, [inbox.count, inbox.list]],
  [inbox.markRead, [inbox.count, inbox.list]],
  [organization.activate, [organization.list, organization.listActivated, organization.getReadiness]],
  [organization.add, [organization.list, organization.listActivated, organization.getSetup, businessUser.list]],
  [organization.assignLicenses, [organization.listLicenses, organization.getReadiness]],
  [organization.createDatastore, [organization.listActivated, organization.getReadiness, organization.getSetup]],
  [organization.deactivate, [organization.list, organization.listActivated, organization.getReadiness]],
  [organization.dismissSetup, [organization.getReadiness, organization.getSetup]],
  [organization.downloadExport, []],
  [organization.endExport, []],
  [organization.endImport, []],
  [organization.removeLogo, []],
  [organization.setAlertRules, []],
  [organization.setLogo, []],
  [organization.startExport, []],
  [organization.startImport, []],
  [organization.testMail, [organization.getSetup]],
  [organization.testStorage, [organization.getSetup]],
  [organization.update, [organization.list, organization.listActivated, businessUser.list]],
  // An approval makes an organization and its first user.
  [registration.approve, [registration.list, organization.list, organization.listActivated, businessUser.list]],
  [registration.reject, [registration.list]],
  [release.endPreviews, [release.listPreviews]],
  [release.keep, [release.status, release.history]],
  [release.promoteCanary, [release.status, release.history]],
  [release.rollback, [release.status, release.history]],
  [release.setBudgets, [release.getFigures]],
  [release.setNotices, [release.getNotices]],
  [release.setTrust, [release.status, release.history]],
  [release.switchNotices, [release.getNotices]],
  [release.stopCanary, [release.status, release.history]],
  [scan.addSample, [organization.getReadiness, organization.getSetup, ...scan.scanLists]],
  [scan.removeSample, [organization.getReadiness, organization.getSetup, ...scan.scanLists]],
  [scan.addFilter, [scan.listFilters]],
  [scan.decideHeld, [scan.listHeld, scan.listTransfers]],
  [scan.stopTransfer, [scan.listTransfers, scan.listHeld]],
  [scan.remove, scan.scanLists],
  [scan.restore, scan.scanLists],
  [scan.undoDelete, scan.scanLists],
  [scan.purge, [scan.listBin, scan.listOwnDeletions, scan.getStorage]],
  [scan.hold, [scan.listHolds, scan.listBin]],
  [scan.endHold, [scan.listHolds, scan.listBin]],
  [scan.removeFilter, [scan.listFilters]],
  [scan.renameFilter, [scan.listFilters]],
  [scan.revokeShare, [scan.listShares]],
  [scan.settleConflict, [scan.listConflicts]],
  [scan.share, [scan.listShares]],
  [scan.transfer, [scan.listTransfers, scan.listTransferProjects]],
  [dicomPartner.add, [dicomPartner.list, dicomPartner.listCallers]],
  [dicomPartner.update, [dicomPartner.list, dicomPartner.listCallers]],
  [dicomPartner.disable, [dicomPartner.list]],
  [dicomPartner.enable, [dicomPartner.list]],
  [dicomPartner.remove, [dicomPartner.list]],
  [station.remove, [station.list]],
  [dicomPartner.dismissCaller, [dicomPartner.listCallers]],
  [webhook.add, [webhook.list]],
  [webhook.pause, [webhook.list]],
  [webhook.remove, [webhook.list]],
  [webhook.renewSecret, [webhook.list, webhook.get]],
  [webhook.replay, [webhook.listDeliveries, webhook.getDelivery]],
  [webhook.replaySince, [webhook.listDeliveries]],
  [webhook.resume, [webhook.list, webhook.listDeliveries]],
  [webhook.sendTest, [webhook.listDeliveries]],
  [webhook.update, [webhook.list]],
]

/** No screen asks with this input, so only a change makes the answer go. */
const toKey = ({ name }: Endpoint) => [name, { asked: 'before the change' }]

/** Puts an earlier answer of every read into the cache, as if other screens had shown it. */
export function placeEarlierAnswers(): void {
  for (const read of new Set(shownIn.flatMap(([, reads]) => reads))) queryClient.setQueryData(toKey(read), null)
}

/** The reads that a change has made old and that are still in the cache as if nothing had happened. */
export function findStaleLists(changes: readonly Endpoint[]): string[] {
  return shownIn
    .filter(([change]) => changes.some(({ name }) => name === change.name))
    .flatMap(([change, reads]) =>
      reads
        .filter((read) => {
          const state = queryClient.getQueryState(toKey(read))
          return state !== undefined && !state.isInvalidated
        })
        .map((read) => `after ${change.name}, ${read.name} is not asked again`),
    )
}
