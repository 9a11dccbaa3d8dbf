# A booking that makes no sense is refused with what would

    levels zone rack
    node n[1-2] H100x8 in z1/r1
      > n[1-2] joined
    node n3 H100x8 in z1/r2
      > n3 joined
    book one from +2h to +1h, nodes n1
      > not accepted: end: 1800003600000 is not allowed; expected a time after the start, 1800007200000
    book one from +2h to +4h, nodes n9, domains r1
      > not accepted: places[0]: n9 is not allowed; expected the name of a node that has joined
      > not accepted: places[1]: r1 is not allowed; expected a domain that has nodes, by its path, such as z1
    book one from +2h to +4h, domains z1/r1
    book two from +3h to +5h, nodes n2 n3
      > not accepted: places: two is not allowed; node n2 is booked as one from 1800007200000 until 1800014400000; choose another time or other nodes
    book two from +4h to +5h, nodes n2 n3, users user-b
    book all from +1h, everything
      > not accepted: places: all is not allowed; node n1 is booked as one from 1800007200000 until 1800014400000; choose another time or other nodes
    submit "mine" H100x8, booking two
      > not accepted: booking: two is not allowed; neither user-a nor queue default may use it; ask whoever made it
    submit "anyone" H100x8, booking one
      > not accepted: booking: one is not allowed; one is for maintenance, nobody's jobs run in it
    unbook three
      > not accepted: name: three is not allowed; expected the name of a booking that is not over
