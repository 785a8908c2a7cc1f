/** Asking before what cannot be taken back. */

interface Question {
  readonly text: string;
  readonly label: string;
  readonly answer: (yes: boolean) => void;
}

class Asking {
  question = $state.raw<Question | null>(null);

  answer(yes: boolean): void {
    this.question?.answer(yes);
    this.question = null;
  }
}

export const asking = new Asking();

/** Whether the user confirms; the button that confirms has the label. */
export function sure(text: string, label: string): Promise<boolean> {
  asking.answer(false);
  return new Promise((answer) => (asking.question = { text, label, answer }));
}
