/** Signing in: a token, and whether this browser keeps it. */
import { useState } from 'preact/hooks';
import { Mark } from './mark';
import { signedOutBy, signIn } from './session';

export function SignIn() {
  const [secret, setSecret] = useState('');
  const [stay, setStay] = useState(false);
  return (
    <main class="signin">
      <h1 class="mark">
        <Mark />
        muster
      </h1>
      {signedOutBy.value && (
        <p class="failure" role="alert">
          {signedOutBy.value}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (secret.trim()) signIn(secret.trim(), stay);
        }}
      >
        <label class="field">
          Token
          <input
            type="password"
            autocomplete="current-password"
            required
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={stay}
            onChange={(event) => setStay(event.currentTarget.checked)}
          />
          stay signed in on this browser
        </label>
        <button type="submit" class="main">
          Sign in
        </button>
      </form>
      <p class="quiet">
        <code>muster up</code> prints a link that signs in by itself. On a shared cluster an admin
        makes a token with <code>muster token create</code>.
      </p>
    </main>
  );
}
