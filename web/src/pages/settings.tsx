/** Settings: the policy, the bookings, the tokens, and who changed what. */
import '../style/settings.css';
import { Segmented } from '../parts/parts';
import { route, setQuery } from '../route';
import { identity, may } from '../session';
import { Audit } from './settings/audit';
import { Bookings } from './settings/bookings';
import { PolicyEditor } from './settings/policy';
import { Tokens } from './settings/tokens';

type Part = 'policy' | 'bookings' | 'tokens' | 'audit';

export function SettingsPage() {
  const isAdmin = may(identity.value, 'tokens');
  const parts: [Part, string][] = [
    ['policy', 'Policy'],
    ['bookings', 'Bookings'],
    // What the server would refuse to show is not offered.
    ...(isAdmin
      ? ([
          ['tokens', 'Tokens'],
          ['audit', 'Audit'],
        ] as [Part, string][])
      : []),
  ];
  const part = parts.find(([part]) => part === route.value.query.get('part'))?.[0] ?? 'policy';
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
        <Segmented
          label="Part of the settings"
          options={parts}
          value={part}
          onChange={(part) => setQuery({ part: part === 'policy' ? undefined : part })}
        />
      </div>
      {part === 'policy' && <PolicyEditor />}
      {part === 'bookings' && <Bookings />}
      {part === 'tokens' && <Tokens />}
      {part === 'audit' && <Audit />}
    </>
  );
}
