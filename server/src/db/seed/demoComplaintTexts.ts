import type { ModuleName } from '@dmp/contract'
import type { SeverityName, StatusName } from '@dmp/contract/complaint'

export type Step = readonly [status: StatusName, daysLater: number, comment: string]
/** `picture` names one of the drawings of `demoPictures.ts`. */
export type ComplaintText = readonly [days: number, place: 'north' | 'south' | 'west', module: ModuleName, type: string, severity: SeverityName, description: string, steps: readonly Step[], picture?: 'viewer' | 'table']

const looking = (daysLater: number, comment = 'We can reproduce this and are working on it.'): Step => ['InProgress', daysLater, comment]
const done = (daysLater: number, comment: string): Step => ['Resolved', daysLater, comment]

/** Oldest first. */
export const complaintTexts: readonly ComplaintText[] = [
  [176, 'north', 'Scan', 'Defect', 'High', 'Series with more than 512 slices stop loading in the viewer at about slice 300. Reloading the page helps until the next long series.', [looking(1), ['Pending', 3, 'Could you tell us the browser and the memory of the workstation?'], looking(5, 'Thank you. It happens with less than 8 GB of memory.'), done(12, 'Slices far from the shown one are now released. Please try again.')]],
  [169, 'south', 'Complaint', 'Usability', 'Low', 'After submitting a complaint I would like to see its number at once, to note it in our own records.', [done(9, 'The number is in the list and on the detail page; the confirmation takes you there.')]],
  [161, 'north', 'BusinessUser', 'Usability', 'Low', 'When adding several users in a row the form should keep the organization that was chosen last.', [['OnHold', 4, 'Noted for a later version.']]],
  [158, 'west', 'Scan', 'Data', 'Medium', 'Acquisition dates of scans from our older CT are missing in the list. The device sends them in a private field.', [looking(2), ['OnHold', 20, 'Waiting for a sample from the manufacturer.']]],
  [150, 'south', 'Scan', 'Performance', 'Medium', 'Searching for a patient ID takes about four seconds in the morning and less than one in the afternoon.', [looking(1), done(6, 'A nightly job ran too long. It now ends at 4 o’clock.')]],
  [143, 'north', 'Organization', 'Usability', 'Low', 'The names of organizations may not contain spaces, which makes ours look odd on printed reports.', [['OnHold', 7, 'Names are part of addresses in connected systems. We are looking for a way.']]],
  [137, 'north', 'Scan', 'Defect', 'Critical', 'A download of two knee series contained the slices of the first one twice. The second series was missing.', [looking(0, 'Downloads of more than one series are being checked by two of us right now.'), done(1, 'Corrected. Downloads of the last 30 days were checked: yours was the only one that was affected.')]],
  [131, 'south', 'BusinessUser', 'Other', 'Low', 'Please add the title PD Dr to the list of titles.', [['Pending', 5, 'Is Dr with PD before the last name an acceptable way until then?'], done(16, 'Agreed with the clinic: Dr is used.')]],
  [126, 'west', 'Scan', 'Usability', 'Medium', 'The share link is hard to find on a small screen: the box with the actions is below the tags.', [looking(3), done(10, 'The box now stands above the tags on narrow screens.')]],
  [118, 'north', 'Scan', 'Defect', 'Medium', 'The slice slider jumps back to the first slice when the window is resized.', [looking(1), done(4, 'Corrected.')], 'viewer'],
  [113, 'south', 'Scan', 'Data', 'High', 'The slice thickness of MR series is shown without decimals: 0.7 mm becomes 1 mm.', [looking(0), done(2, 'Up to three decimals are shown now.')]],
  [109, 'north', 'Complaint', 'Usability', 'Low', 'Sorting by status should follow the order of the work, not the alphabet.', [['OnHold', 3, 'Lists sort by the alphabet everywhere. We are collecting opinions.']]],
  [102, 'south', 'Scan', 'Performance', 'High', 'Uploading a folder of 1,200 files over our line of 10 Mbit/s breaks off after about twenty minutes.', [looking(1), ['Pending', 4, 'Does your proxy close connections after 20 minutes?'], looking(6, 'Then uploads have to go on by themselves after a break.'), done(21, 'Uploads now go on where they were broken off.')]],
  [96, 'north', 'BusinessUser', 'Defect', 'Medium', 'A deactivated colleague still appears as the author of new complaints in the filter.', [done(2, 'The filter shows authors of complaints whatever their status. The complaint is old, only its status is new.')]],
  [91, 'north', 'Scan', 'Usability', 'Low', 'A dark background around the images would be easier on the eyes in the reading room.', [done(5, 'The viewer follows the dark mode of the page now.')]],
  [85, 'south', 'Organization', 'Data', 'Medium', 'Our organization still shows the region of the old site.', [['Pending', 1, 'Which region is right?'], done(3, 'Changed to Europe.')]],
  [80, 'west', 'BusinessUser', 'Defect', 'High', 'The mail with the temporary password arrived after it had expired.', [looking(0, 'We are asking our mail provider.'), done(3, 'The mail was held back by the clinic’s filter for four days. The sender is on its list now.')]],
  [73, 'north', 'Scan', 'Data', 'Low', 'Laterality is empty for all series of the new knee coil, although the protocol name says left or right.', [['OnHold', 2, 'The device does not send it. We do not guess sides from names.']]],
  [67, 'south', 'Scan', 'Defect', 'Medium', 'Window and level cannot be changed with the middle mouse button on our workstations.', [looking(2), ['Pending', 4, 'Does it work with the right button?']]],
  [61, 'north', 'Scan', 'Performance', 'Medium', 'The first picture takes six seconds to appear for CT series with thin slices.', [looking(1)]],
  [55, 'north', 'Complaint', 'Other', 'Low', 'Can the provider’s answers be marked more clearly in the history?', [['OnHold', 6, 'Good idea, noted.']]],
  [49, 'south', 'Scan', 'Usability', 'Low', 'The columns of the scan list are too narrow for our long series descriptions.', [looking(3), done(9, 'Columns can be chosen now, and descriptions break into two lines.')], 'table'],
  [44, 'south', 'BusinessUser', 'Usability', 'Medium', 'The phone field does not accept brackets, as in (030) 555 0123.', [['Pending', 1, 'Would 030 555 0123 do?']]],
  [38, 'north', 'Scan', 'Defect', 'High', 'Batch transfer of eleven series stays at 90 percent. Ten have arrived at the other organization.', [looking(0), done(2, 'One series had a damaged slice. It is named in the result of the transfer now, and the others are not kept waiting.')]],
  [33, 'north', 'Scan', 'Data', 'Medium', 'The patient’s age is shown as of today, not as of the day of the scan.', [looking(1)]],
  [27, 'south', 'Scan', 'Defect', 'Medium', 'Tags with Greek letters are shown as question marks.', [looking(2, 'The objects say the wrong character set. We are looking for a way to show them anyway.')]],
  [24, 'north', 'Organization', 'Other', 'Low', 'Where do we see how much storage our scans use?', [done(1, 'On the dashboard.')]],
  [19, 'north', 'BusinessUser', 'Defect', 'Low', 'The list of users forgets its page when I come back from a user’s page with the button of the browser.', [looking(1)]],
  [15, 'south', 'Scan', 'Usability', 'Medium', 'Please let us cancel a download that was started by mistake.', [['Pending', 2, 'Is closing the tab not enough in your case?']]],
  [12, 'south', 'Complaint', 'Defect', 'Low', 'A screenshot that I pasted was turned by 90 degrees.', [looking(1)]],
  [9, 'north', 'Scan', 'Defect', 'Critical', 'Left and right markers are missing on three knee series of this morning. They are there on the workstation of the device.', [looking(0, 'We are comparing the objects with those of the device.')], 'viewer'],
  [7, 'north', 'Scan', 'Performance', 'Low', 'Scrolling with the wheel skips slices when the page was just opened.', []],
  [5, 'south', 'Scan', 'Data', 'Medium', 'The referring physician is shown with caret signs between the parts of the name.', []],
  [4, 'north', 'BusinessUser', 'Usability', 'Low', 'It would help to see when a user signed in last.', []],
  [2, 'south', 'Scan', 'Defect', 'High', 'A share link of yesterday says that it has expired, although seven days were chosen.', [['InProgress', 0, 'We are checking the clock of the server that made it.']]],
  [1, 'north', 'Scan', 'Usability', 'Low', 'The search should find patients without the comma between the names.', []],
  [0, 'north', 'Complaint', 'Other', 'Low', 'Is there a way to add a second picture to a complaint later?', []],
]
