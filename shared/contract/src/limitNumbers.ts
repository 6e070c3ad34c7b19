/**
 * The numbers of docs/product.md, sections 9 and 5, each once, the unit in the name. Times that a deployment may
 * change are in `settings.ts`.
 */

/** 9.01: page sizes and search debounces. */
export const pageSizes = [10, 25, 50] as const
export const defaultPageSize = 10
export const tableSearchDebounceMs = 200
export const scanSearchDebounceMs = 500
/** The largest page that a client may ask for. */
export const maxPageSize = 1000
export const searchMaxChars = 255
export const filterNameMaxChars = 60
export const filtersPerUser = 50
/** The address of a saved view of the worklist. */
export const viewQueryMaxChars = 1000
/** A study that nobody has opened is new for so long. */
export const newStudyDays = 14
/** Studies that the dashboard counts at most, and rows of other kinds, so that a figure takes milliseconds. */
export const countedArrivals = 20_000
export const countedRows = 10_000
/** Studies on a page of the worklist, and series that a study brings along. */
export const worklistPageSizes = [25, 50, 100] as const
export const worklistPageSize = 50
export const seriesPerStudy = 500
/** 9.02: image and description of a complaint. */
export const complaintImageMaxBytes = 2_097_152
/** What the server can draw anew; an SVG is a document that may hold scripts. */
export const complaintImageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as readonly string[]
export const complaintDescriptionMaxChars = 1024
/** Of each person; older ones are deleted. */
export const inboxMostEntries = 500
export const inboxDays = 90
export const inboxPageSize = 25
/** Alerts about how patients are looked at: the bounds of their rules, notes, and how long they are kept. */
export const alertLeastPatients = 5
export const alertMostPatients = 2000
export const alertLeastMinutes = 5
export const alertMostMinutes = 1440
export const alertNoteMaxChars = 1024
export const alertDays = 730
/** Exports of an organization: how long an archive stays, and an address of it. */
export const exportDays = 7
export const exportAddressHours = 24
/** Imports: how long one that nothing arrives for, or nobody works at, stays. */
export const importIdleDays = 2
/** What the writer of a complaint and the staff say to each other. */
export const complaintMessageMaxChars = 2048
export const complaintMostMessages = 200
/** 9.03: the lengths of form fields. */
export const organizationNameMaxChars = 255
export const personNameMaxChars = 30
export const phoneMaxChars = 15
export const emailMaxChars = 255
export const passwordMaxChars = 100
export const newPasswordMinChars = 12
export const mfaCodeMaxChars = 6
/** Comments on a status have no limit in the specification; this one keeps a mistake from filling the table. */
export const commentMaxChars = 1024
/** 9.04: share links and the delete phrase. */
export const shareMinDays = 1
export const shareMaxDays = 7
export const shareDefaultDays = 1
export const sharePasswordMinChars = 4
export const shareMaxUses = 1000
/** The sender's own words in the mail with a share link, and the code that a recipient gets. */
export const shareMessageMaxChars = 500
export const shareCodeChars = 6
/** API tokens of machines; a deployment may allow fewer days. */
export const apiTokenNameMaxChars = 60
export const apiTokenDefaultDays = 90
export const apiTokenMaxDays = 365
/** So long before its end, station and screens say that it ends. */
export const apiTokenEndsSoonDays = 14
export const apiTokenAddresses = 20
export const apiTokenParts = 20
/** Of one release that comes in over the API: files, and bytes of the request that brings them. */
export const releaseFiles = 500
export const releaseBytes = 16_000_000
/** Groups of errors that are kept of one part. */
export const errorGroupsPerPart = 100
/** Addresses that the news of one part go to. */
export const noticeAddresses = 5
/** Previews of a release: how long, how many of one part at a time, and the people who may open one. */
export const previewDefaultDays = 7
export const previewMaxDays = 30
export const previewsPerPart = 20
export const previewUsers = 50
export const apiTokensPerOrganization = 100
/** What the browser suite tells of a run. */
export const journeysPerRound = 400
export const journeyTitleMaxChars = 200
export const journeySentenceMaxChars = 300
/** Machines that ask for an API token by a code (RFC 8628): letters, how long it is good, how often they ask. */
export const userCodeChars = 8
export const deviceCodeSeconds = 600
export const devicePollSeconds = 5
/** The list of changes: those on a page, and how long an answer is held back for news, below what proxies wait. */
export const changesPageSize = 100
export const changesWaitSeconds = 25
/** Webhooks: their address, how many there are, and how long a replaced secret still signs. */
export const webhookUrlMaxChars = 500
export const webhooksPerOrganization = 20
export const webhookSecretGraceHours = 24
export const webhookRetryHours = 72
export const webhookDeliveryDays = 30
export const webhookDeliveries = 10_000
/** DICOM partners: what they are called (PS3.5 section 6.2), where they are, how many, and refused callers. */
export const aeTitleMaxChars = 16
export const dicomHostMaxChars = 253
export const dicomPartnersPerOrganization = 200
export const dicomCallers = 50
export const dicomCallerDays = 30
/** Machines with an uploader: how many, of one account, how long a silent one is kept, and the largest counts. */
export const stationsPerOrganization = 500
export const stationsPerAccount = 100
export const stationDays = 90
export const stationSilentMinutes = 10
export const stationMostFiles = 1_000_000_000
/** Scans that one request may transfer, delete or share. */
export const scansAtOnce = 500
/** Names of transfer projects, and how many an organization may have. */
export const projectNameMaxChars = 64
export const transferProjects = 500
/** What somebody chooses who looks at held pictures: rectangles of each size, sizes, pictures that are left out. */
export const pictureMaxPixels = 65_535
export const maskRectangles = 64
export const maskedSizes = 200
export const heldPicturesLeftOut = 10_000
export const deletePhrase = 'permanently delete'
/** Why a study is under legal hold. */
export const holdReasonMaxChars = 500
/** 9.08: reconnecting the live channel. */
export const reconnectMaxTries = 5
export const reconnectFirstDelayMs = 1000
export const reconnectMaxDelayMs = 30_000
/** 9.09: when a notice hides by itself. */
export const noticeMs = 5000
/** 4.13: throttle of mouse activity. */
export const mouseThrottleMs = 500
/** 9.12: printed instructions for use are delivered within this many calendar days. */
export const printedIfuDeliveryDays = 7
/** 9.14: sizes of the layout. */
export const topBarPx = 60
export const sideNavigationPx = 220
export const sideNavigationCollapsedPx = 100
/** A logo is drawn into this box. */
export const logoWidthPx = 480
export const logoHeightPx = 160
export const logoMaxBytes = 40_000
