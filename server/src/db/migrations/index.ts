import type { Migration } from 'kysely/migration'
import * as base from './0001-base.ts'
import * as areas from './0002-areas.ts'
import * as scans from './0003-scans.ts'
import * as jobs from './0004-jobs.ts'
import * as releases from './0004-releases.ts'
import * as launches from './0005-launches.ts'
import * as filters from './0006-filters.ts'
import * as scanSearch from './0007-scan-search.ts'
import * as sessions from './0008-sessions.ts'
import * as endedDownloads from './0010-ended-downloads.ts'
import * as auditChain from './0011-audit-chain.ts'
import * as releaseReports from './0012-release-reports.ts'
import * as organizationKeys from './0013-organization-keys.ts'
import * as devicesAndRests from './0014-devices-and-rests.ts'
import * as qidoKeys from './0016-qido-keys.ts'
import * as transferProjects from './0017-transfer-projects.ts'
import * as scanConflicts from './0018-scan-conflicts.ts'
import * as worklist from './0019-worklist.ts'
import * as sharedViews from './0020-shared-views.ts'
import * as heldScans from './0021-held-scans.ts'
import * as apiTokens from './0022-api-tokens.ts'
import * as activity from './0024-activity.ts'
import * as keptValues from './0025-kept-values.ts'
import * as downloadSessions from './0026-download-sessions.ts'
import * as searchIndexes from './0029-search-indexes.ts'
import * as changes from './0031-changes.ts'
import * as transferCopies from './0034-transfer-copies.ts'
import * as deviceCodes from './0035-device-codes.ts'
import * as feedsAndReleaseKeys from './0036-feeds-and-release-keys.ts'
import * as inbox from './0037-inbox.ts'
import * as complaintCare from './0038-complaint-care.ts'
import * as webhooks from './0039-webhooks.ts'
import * as setup from './0041-setup.ts'
import * as complaintPictureTotals from './0043-complaint-picture-totals.ts'
import * as releaseRounds from './0044-release-rounds.ts'
import * as dicomPartners from './0045-dicom-partners.ts'
import * as languagesOfMails from './0046-languages-of-mails.ts'
import * as bin from './0047-bin.ts'
import * as figures from './0048-figures.ts'
import * as leavingTransfers from './0049-leaving-transfers.ts'
import * as importedRecords from './0050-imported-records.ts'
import * as stations from './0051-stations.ts'
import * as releaseTokens from './0052-release-tokens.ts'
import * as inboxTurns from './0053-inbox-turns.ts'
import * as senders from './0054-senders.ts'
import * as organizationExports from './0055-organization-exports.ts'
import * as logos from './0056-logos.ts'
import * as releaseTimes from './0057-release-times.ts'
import * as releaseNotices from './0058-release-notices.ts'
import * as accessAlerts from './0060-access-alerts.ts'
import * as twoHolds from './0061-two-holds.ts'
import * as organizationImports from './0062-organization-imports.ts'
import * as viewsOfLists from './0064-views-of-lists.ts'
import * as stationsThatDeidentify from './0067-stations-that-deidentify.ts'
import * as releasePreviews from './0068-release-previews.ts'
import * as releaseErrors from './0069-release-errors.ts'
import * as sendersOfConflicts from './0070-senders-of-conflicts.ts'
import * as sharedUploads from './0073-shared-uploads.ts'
import * as lastWrites from './0074-last-writes.ts'
import * as seriesImageCounts from './0075-series-image-counts.ts'
import * as roomForUpdates from './0076-room-for-updates.ts'
import * as seriesHeaders from './0077-series-headers.ts'
import * as newestOfChain from './0078-newest-of-chain.ts'
import * as cheaperAuditRows from './0079-cheaper-audit-rows.ts'

/**
 * Every migration by name, in the order of the names. Add a file, then a line here; never change one that was released.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-base': base,
  '0002-areas': areas,
  '0003-scans': scans,
  '0004-jobs': jobs,
  '0004-releases': releases,
  '0005-launches': launches,
  '0006-filters': filters,
  '0007-scan-search': scanSearch,
  '0008-sessions': sessions,
  '0010-ended-downloads': endedDownloads,
  '0011-audit-chain': auditChain,
  '0012-release-reports': releaseReports,
  '0013-organization-keys': organizationKeys,
  '0014-devices-and-rests': devicesAndRests,
  '0016-qido-keys': qidoKeys,
  '0017-transfer-projects': transferProjects,
  '0018-scan-conflicts': scanConflicts,
  '0019-worklist': worklist,
  '0020-shared-views': sharedViews,
  '0021-held-scans': heldScans,
  '0022-api-tokens': apiTokens,
  '0024-activity': activity,
  '0025-kept-values': keptValues,
  '0026-download-sessions': downloadSessions,
  '0029-search-indexes': searchIndexes,
  '0031-changes': changes,
  '0034-transfer-copies': transferCopies,
  '0035-device-codes': deviceCodes,
  '0036-feeds-and-release-keys': feedsAndReleaseKeys,
  '0037-inbox': inbox,
  '0038-complaint-care': complaintCare,
  '0039-webhooks': webhooks,
  '0041-setup': setup,
  '0043-complaint-picture-totals': complaintPictureTotals,
  '0044-release-rounds': releaseRounds,
  '0045-dicom-partners': dicomPartners,
  '0046-languages-of-mails': languagesOfMails,
  '0047-bin': bin,
  '0048-figures': figures,
  '0049-leaving-transfers': leavingTransfers,
  '0050-imported-records': importedRecords,
  '0051-stations': stations,
  '0052-release-tokens': releaseTokens,
  '0053-inbox-turns': inboxTurns,
  '0054-senders': senders,
  '0055-organization-exports': organizationExports,
  '0056-logos': logos,
  '0057-release-times': releaseTimes,
  '0058-release-notices': releaseNotices,
  '0060-access-alerts': accessAlerts,
  '0061-two-holds': twoHolds,
  '0062-organization-imports': organizationImports,
  '0064-views-of-lists': viewsOfLists,
  '0067-stations-that-deidentify': stationsThatDeidentify,
  '0068-release-previews': releasePreviews,
  '0069-release-errors': releaseErrors,
  '0070-senders-of-conflicts': sendersOfConflicts,
  '0073-shared-uploads': sharedUploads,
  '0074-last-writes': lastWrites,
  '0075-series-image-counts': seriesImageCounts,
  '0076-room-for-updates': roomForUpdates,
  '0077-series-headers': seriesHeaders,
  '0078-newest-of-chain': newestOfChain,
  '0079-cheaper-audit-rows': cheaperAuditRows,
}
